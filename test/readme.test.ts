import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { behaviorNames, openPoints, optionTexts, type AssumptionName } from '../server/domain/behavior.ts'
import { places } from '../server/domain/fault.ts'
import { effectsOf } from '../server/domain/fault-effect.ts'
import { commandNames, commands, usageOf } from '../server/cli/commands.ts'
import { flags, type Flag } from '../server/flags.ts'
import { diagnostic, diagnosticCodes } from '../server/domain/diagnostic.ts'

const file = new URL('../README.md', import.meta.url)

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** Markdown takes what is in angle brackets for a tag, but for code. */
const prose = (text: string): string => text.replaceAll('<', '\\<')

const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

const code = (text: string): string => `\`${text}\``

function behaviorTable(): string[] {
  const switchable = new Set<AssumptionName>(behaviorNames)
  const fixed = (Object.keys(openPoints) as AssumptionName[]).filter((name) => !switchable.has(name))
  return [
    row('behavior', 'options, default first', 'the reference', 'the sandbox'),
    row('---', '---', '---', '---'),
    ...behaviorNames.map((name) => {
      const { reference, assumption } = openPoints[name]
      return row(code(name), optionTexts(name).map(code).join(' '), prose(reference), prose(assumption))
    }),
    '',
    'Fixed assumptions, named in the same header:',
    '',
    row('assumption', 'the reference', 'the sandbox'),
    row('---', '---', '---'),
    ...fixed.map((name) => row(code(name), openPoints[name].reference, openPoints[name].assumption)),
  ]
}

const optionTable = (): string[] => [
  row('flag', ''),
  row('---', '---'),
  ...Object.entries<Flag>(flags).map(([name, { value, text }]) =>
    row(code(`--${name}${value === undefined ? '' : ` ${value}`}`), text),
  ),
]

const diagnosticTable = (): string[] => [
  row('code', 'severity', 'found', 'what to do'),
  row('---', '---', '---', '---'),
  ...diagnosticCodes.map((name) => {
    const { severity, title, fix } = diagnostic(name, '')
    return row(code(name), severity, title, fix)
  }),
]

const faultTable = (): string[] => [
  row('on', 'effect', 'what goes wrong'),
  row('---', '---', '---'),
  ...places.flatMap((on) =>
    effectsOf(on).map(({ form, does }) => row(code(on), form.split(' or ').map(code).join(' '), does)),
  ),
]

const commandTable = (): string[] => [
  row('command', ''),
  row('---', '---'),
  ...commandNames.map((name) =>
    row(code(usageOf(name).replace('paylink-sandbox ', '')), commands[name].text),
  ),
]

/** `UPDATE_README=1 npx vitest run test/readme.test.ts` writes the tables. */
test.each([
  ['behaviors', behaviorTable],
  ['options', optionTable],
  ['commands', commandTable],
  ['faults', faultTable],
  ['diagnostics', diagnosticTable],
])("the README's %s are the ones in the code", (name, table) => {
  const readme = readFileSync(file, 'utf8')
  const section = new RegExp(`(<!-- ${name} -->\n)([^]*?)(<!-- /${name} -->)`)
  const wanted = `\n${table().join('\n')}\n\n`
  if (process.env.UPDATE_README === '1') {
    writeFileSync(
      file,
      readme.replace(section, (_all, open: string, _old, close: string) => open + wanted + close),
    )
    return
  }
  expect(section.exec(readme)?.[2]).toBe(wanted)
})

test('what the README links to is there, and is said to be in the repository, as the package has none of it', () => {
  const sections = readFileSync(file, 'utf8').split(/^#+ /m)
  for (const section of sections) {
    const links = [...section.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!)
    expect(links.filter((path) => !existsSync(new URL(path, file)))).toEqual([])
    if (links.length > 0) expect(section).toContain('in the repository')
  }
})
