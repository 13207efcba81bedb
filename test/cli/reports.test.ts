import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { expect, test } from 'vitest'
import { githubAnnotationsOf } from '../../server/cli/reports/github.ts'
import { junitOf } from '../../server/cli/reports/junit.ts'
import { markdownOf } from '../../server/cli/reports/markdown.ts'
import type { CaseVerdict } from '../../server/cli/reports/verdict.ts'

const passed: CaseVerdict = { name: 'form', group: 'encoding', outcome: 'passed', ms: 12.5 }
const skipped: CaseVerdict = {
  name: 'redirect',
  group: 'order',
  outcome: 'skipped',
  ms: 0,
  message: 'no callback_url',
}

/** Characters that are special in any of the formats. */
const SPECIAL_CHARACTERS = 'a <b> & "c" \'d\' ]]> | # % :: , \\ `\u0000\u001b\uFFFE\uD800` é 東京 🎉'

const failed: CaseVerdict = {
  name: SPECIAL_CHARACTERS,
  group: 'encoding',
  outcome: 'failed',
  ms: 1500,
  message: `${SPECIAL_CHARACTERS}\nand more`,
  details: `seen\n${SPECIAL_CHARACTERS}`,
  repeat: `curl 'http://127.0.0.1:1/?a=1&b=2'`,
}

const all = [passed, skipped, failed]

const childrenOf = (element: XmlElement): XmlElement[] =>
  element.children.filter((child): child is XmlElement => child.type === 'element')

test('JUnit XML is well formed with any text, and counts the cases', () => {
  const root = parseXml(junitOf(`suite ${SPECIAL_CHARACTERS}`, all)).root!
  const [suite] = childrenOf(root)
  const forbidden = ['\u0000', '\u001b', '\uFFFE', '\uD800']
  const readable = forbidden.reduce(
    (text, char) => text.replaceAll(char, `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    SPECIAL_CHARACTERS,
  )

  expect(root.attributes).toMatchObject({ tests: '3', failures: '1', skipped: '1', time: '1.512' })
  expect(suite!.attributes.name).toBe(`suite ${readable}`)
  const [first, second, third] = childrenOf(suite!)
  expect(first!.attributes).toMatchObject({ name: 'form', time: '0.013' })
  expect(childrenOf(second!)).toMatchObject([{ name: 'skipped', attributes: { message: 'no callback_url' } }])
  expect(third!.attributes.name).toBe(readable)
  expect(childrenOf(third!)).toMatchObject([
    { name: 'failure', attributes: { message: `${readable}\nand more` } },
  ])
  expect(third!.text.trim()).toBe(`seen\n${readable}\nRepeat: ${failed.repeat}`)
})

test('GitHub gets an annotation of one line for each failure', () => {
  const lines = githubAnnotationsOf('check', all).trimEnd().split('\n')

  expect(lines).toHaveLength(1)
  const [, title, text] = /^::error title=([^:,]*)::(.*)$/.exec(lines[0]!)!
  expect(decodeURIComponent(title!.replaceAll('\uD800', ''))).toBe(
    `check: ${SPECIAL_CHARACTERS.replaceAll('\uD800', '')}`,
  )
  expect(text).toContain('and more%0Aseen%0A')
  expect(githubAnnotationsOf('check', [passed, skipped])).toBe('')
})

test('Markdown tables and code blocks are well formed with any text', () => {
  const text = markdownOf('check', [...all, { ...failed, name: 'ticks', details: '```\nx' }])

  expect(text).toContain('### check: 1 passed, 2 failed, 1 skipped')
  expect(text).toContain('````text\n```\nx\nRepeat: ')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.map((row) => row.replaceAll('\\|', '').split('|').length)).toEqual([5, 5, 5, 5, 5, 5])
  expect(text).toContain('a \\<b\\> &')
})
