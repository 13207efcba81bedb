import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listOperations } from '../scripts/fuzz/check-document.js'
import {
  behaviorNames,
  openPoints,
  listOptions,
  type AssumptionName,
} from '../server/domain/behaviors/behavior.ts'
import { faultPoints } from '../server/domain/faults/fault.ts'
import { listEffects } from '../server/domain/faults/fault-effect.ts'
import { commandNames, commands, usageOf } from '../server/cli/command-table.ts'
import { flags, type Flag } from '../server/config/flags.ts'
import { createDiagnostic, diagnosticCodes } from '../server/domain/diagnostics/diagnostic.ts'
import { documents } from './support/documents.ts'

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
      return row(code(name), listOptions(name).map(code).join(' '), prose(reference), prose(assumption))
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
    const { severity, title, fix } = createDiagnostic(name, '')
    return row(code(name), severity, title, fix)
  }),
]

const faultTable = (): string[] => [
  row('on', 'effect', 'what goes wrong'),
  row('---', '---', '---'),
  ...faultPoints.flatMap((on) =>
    listEffects(on).map(({ form, does }) => row(code(on), form.split(' or ').map(code).join(' '), does)),
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

/**
 * The routes that a cell of the README names, each with its query. `GET` `PUT /maps` are two of one path, and
 * `POST /links/{ref}/cancel` · `/decline` are two of one method.
 */
function routesIn(text: string): { readonly route: string; readonly query: readonly string[] }[] {
  let methods: string[] = []
  let last = { methods, path: '' }
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = '']) => {
    if (quoted.startsWith('{')) return []
    const words = quoted.split(' ')
    const target = words.find((word) => word.startsWith('/'))
    methods.push(...words.filter((word) => word !== target).map((word) => word.replace('WS', 'GET')))
    if (target === undefined) return []
    const [path = '', query = ''] = target.split('?')
    last =
      methods.length > 0 || path.startsWith('/_sandbox')
        ? { methods: methods.length > 0 ? methods : last.methods, path }
        : { ...last, path: last.path.replace(/\/[^/]+$/, path) }
    methods = []
    const whole = last.path.startsWith('/_sandbox') ? last.path : `/_sandbox/v1${last.path}`
    const names = [...query.matchAll(/(\w+)=/g)].map(([, name]) => name!)
    return last.methods.map((method) => ({ route: `${method} ${whole}`, query: names }))
  })
}

test("the README's routes of the control API are the ones in its document", async () => {
  const [, section = ''] = /^## Control API$([^]*?)^## /m.exec(readFileSync(file, 'utf8')) ?? []
  const rows = [...section.matchAll(/^\|((?:\\.|[^|\\])*)\|/gm)].map(([, first]) => first!)
  const routes = rows.flatMap(routesIn)
  const { document } = (await documents()).control
  const documented = listOperations(document).map(({ method, path, operation: { parameters = [] } }) => ({
    route: `${method.toUpperCase()} ${path}`,
    query: parameters.map(({ name }) => name),
  }))

  expect(routes.map(({ route }) => route).toSorted()).toEqual(documented.map(({ route }) => route).toSorted())
  for (const { route, query } of routes)
    expect([route, documented.find((one) => one.route === route)?.query]).toEqual([
      route,
      expect.arrayContaining([...query]),
    ])
})

test('what the README links to is there, and is said to be in the repository, as the package has none of it', () => {
  const sections = readFileSync(file, 'utf8').split(/^#+ /m)
  for (const section of sections) {
    const links = [...section.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!)
    expect(links.filter((path) => !existsSync(new URL(path, file)))).toEqual([])
    if (links.length > 0) expect(section).toContain('in the repository')
  }
})
