import { visible } from '../../domain/text/visible.ts'
import { explanationOf, summaryOf, type CaseVerdict } from './verdict.ts'

const MARKS = { passed: '✅', failed: '❌', skipped: '⚪' } as const satisfies Record<
  CaseVerdict['outcome'],
  string
>

/** Verdicts as Markdown for the summary of a CI job: first the failures in full, then a table of all cases. */
export const markdownOf = (suite: string, verdicts: readonly CaseVerdict[]): string =>
  [
    `### ${escape(suite)}: ${summaryOf(verdicts)}`,
    '',
    ...verdicts.filter(({ outcome }) => outcome === 'failed').flatMap(failureLines),
    ...tableLines(verdicts),
    '',
  ].join('\n')

function failureLines(verdict: CaseVerdict): string[] {
  const explanation = explanationOf(verdict)
  return [
    `${MARKS.failed} **${escape(verdict.name)}**${verdict.message === undefined ? '' : `: ${escape(verdict.message)}`}`,
    '',
    ...(explanation === '' ? [] : [...fenced(explanation), '']),
  ]
}

const tableLines = (verdicts: readonly CaseVerdict[]): string[] => [
  '| | | |',
  '| --- | --- | --- |',
  ...verdicts.map(
    ({ name, group, outcome, message }) =>
      `| ${MARKS[outcome]} ${outcome} | ${escape(group)} | ${escape(name)}${outcome === 'skipped' && message !== undefined ? `: ${escape(message)}` : ''} |`,
  ),
]

/** Puts a text into a code block. Its fence is longer than any sequence of backticks in the text. */
function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}text`, visible(text), fence]
}

const escape = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~#]/g, String.raw`\$&`)
