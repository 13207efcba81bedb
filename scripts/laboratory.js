import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { readOptions } from './read-options.js'
import { root } from './run.js'
import { setUp } from './setup.js'

const { shops, json = false } = readOptions({
  command: 'npm run laboratory --',
  text: 'Runs all cases of both checks on every shop of the laboratory. Prints which cases find which mistakes, and which unusual but correct shops are blamed. Fails if a mistake is not found as the guide says, or a correct shop is blamed.',
  flags: {
    shops: { type: 'string', value: 'pattern', text: 'Only the shops whose whole names match: link-.*' },
    json: { type: 'boolean', text: 'Prints the results as JSON.' },
  },
})

/** @typedef {import('../test/support/laboratory.ts').CheckedShop} CheckedShop */

/** @param {CheckedShop} shop */
const isFound = ({ found, errors }) => Object.keys(found).length + errors.length > 0

await setUp()
buildIfStale()
const folder = mkdtempSync(join(tmpdir(), 'paylink-laboratory-'))
const file = join(folder, 'matrix.jsonl')

/** @returns {CheckedShop[]} */
const read = () =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : []

let shown = 0
function showNew() {
  const checked = read()
  for (const { id, found, errors, seconds } of checked.slice(shown)) {
    const cases = Object.keys(found)
    const what = [...cases, ...errors].join(', ') || 'nothing'
    process.stderr.write(`${id} (${seconds.join(' + ')} s): ${what}\n`)
  }
  shown = checked.length
}

const child = spawn(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project=laboratory'],
  {
    cwd: root,
    env: {
      ...process.env,
      PAYLINK_TEST_SIZE: 'full',
      PAYLINK_TEST_MATRIX: file,
      ...(shops === undefined ? {} : { PAYLINK_TEST_SHOPS: shops }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
const timer = setInterval(showNew, 1_000)
const [code] = await once(child, 'close')
clearInterval(timer)
showNew()

const checked = read()
rmSync(folder, { recursive: true, force: true })
if (checked.length === 0) process.stderr.write('No shop was checked. Name shops that exist with --shops.\n')
else if (json) writeFileSync(1, `${JSON.stringify(checked, null, 2)}\n`)
else process.stdout.write(`${matrixOf(checked).join('\n')}\n`)
process.exitCode = code === 0 && checked.length > 0 ? 0 : 1

/**
 * @param {readonly CheckedShop[]} all
 * @returns {string[]}
 */
function matrixOf(all) {
  const mistakes = all.filter(({ isRight }) => !isRight)
  const oddities = all.filter(({ isRight }) => isRight)
  /** @type {Map<string, { found: number, alone: string[] }>} */
  const byCase = new Map()
  for (const { id, found } of mistakes) {
    const names = Object.keys(found)
    for (const name of names) {
      const entry = byCase.get(name) ?? { found: 0, alone: [] }
      byCase.set(name, entry)
      entry.found += 1
      if (names.length === 1) entry.alone.push(id)
    }
  }
  const slowest = all.toSorted((one, other) => Math.max(...other.seconds) - Math.max(...one.seconds))
  return [
    'case: mistakes that it finds, and those that no other case finds',
    ...[...byCase]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(
        ([name, { found, alone }]) =>
          `  ${name}: ${found}${alone.length === 0 ? '' : `, ${alone.join(', ')}`}`,
      ),
    `${mistakes.filter(isFound).length} of ${mistakes.length} mistakes were found.`,
    ...mistakes.filter((one) => !isFound(one)).map(({ id, title }) => `  Not found: ${id}. ${title}.`),
    `${oddities.filter(isFound).length} of ${oddities.length} correct shops were blamed.`,
    ...oddities
      .filter(isFound)
      .map(({ id, found, errors }) => `  Blamed: ${id}: ${[...Object.keys(found), ...errors].join(', ')}`),
    'The slowest checks:',
    ...slowest.slice(0, 5).map(({ id, seconds }) => `  ${id}: ${Math.max(...seconds)} s`),
  ]
}
