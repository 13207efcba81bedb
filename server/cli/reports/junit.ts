import { visible } from '../../domain/text/visible.ts'
import { countOf, explanationOf, type CaseVerdict } from './verdict.ts'

/** Verdicts as JUnit XML, which CI systems read. */
export function junitOf(suite: string, verdicts: readonly CaseVerdict[]): string {
  const counts = [
    attribute('name', suite),
    attribute('tests', String(verdicts.length)),
    attribute('failures', String(countOf(verdicts, 'failed'))),
    attribute('errors', '0'),
    attribute('skipped', String(countOf(verdicts, 'skipped'))),
    attribute('time', seconds(verdicts.reduce((sum, { ms }) => sum + ms, 0))),
  ].join('')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts}>`,
    `  <testsuite${counts}>`,
    ...verdicts.map((verdict) => testcaseOf(suite, verdict)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testcaseOf(suite: string, verdict: CaseVerdict): string {
  const { name, group, outcome, ms, message = '' } = verdict
  const classname = attribute('classname', `${suite}.${group}`)
  const open = `    <testcase${classname}${attribute('name', name)}${attribute('time', seconds(ms))}`
  if (outcome === 'passed') return `${open} />`
  const inside =
    outcome === 'skipped'
      ? `<skipped${attribute('message', message)} />`
      : `<failure${attribute('message', message)}>${escape(explanationOf(verdict))}</failure>`
  return `${open}>\n      ${inside}\n    </testcase>`
}

const attribute = (name: string, value: string): string => ` ${name}="${escape(value)}"`

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/**
 * Also escapes line breaks and tabs, because an XML parser changes them in attributes. Makes invisible characters visible,
 * because XML forbids them.
 */
const escape = (text: string): string =>
  visible(text).replace(/[&<>"'\n\r\t]/g, (char) => `&#${char.codePointAt(0)};`)
