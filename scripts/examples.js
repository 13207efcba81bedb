import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { findOrFetchBrowser } from './find-browser.js'
import { randomSeed, readOptions } from './read-options.js'
import { root } from './run.js'
import { setUp } from './setup.js'

const {
  runs = 10,
  load = availableParallelism(),
  seed = randomSeed(),
  json = false,
} = readOptions({
  command: 'npm run test:examples --',
  text: 'Checks every example app again and again, in random order, while other processes keep the machine busy. Fails if a check is wrong about one of them.',
  flags: {
    runs: { type: 'number', text: 'How often. Default: 10.' },
    load: { type: 'number', text: 'How many other busy processes. Default: one for each processor.' },
    seed: { type: 'number', text: 'Repeats the orders of an earlier run.' },
    json: { type: 'boolean', text: 'Prints the results as JSON.' },
  },
})

/** The tests of the example apps, in these files and in blocks with this name. Each test checks one app. */
const FILES = ['test/verify/receiver-check', 'test/verify/caller-check', 'test/journeys/shops.test.ts']
const BLOCK = 'example apps'

await setUp()
process.env.PAYLINK_TEST_BROWSER = findOrFetchBrowser()
buildIfStale()

const folder = mkdtempSync(join(tmpdir(), 'paylink-examples-'))
const busy = Array.from({ length: load }, () => spawn(process.execPath, ['-e', 'for (;;);']))
const stop = () => busy.forEach((child) => child.kill('SIGKILL'))
process.once('exit', stop)
// Otherwise, the busy child processes would outlive this one.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.stderr.write(`Checking the example apps ${runs} times with --seed ${seed}.\n`)

/** @type {{ seed: number, seconds: number, checked: number, wrong: string[] }[]} */
const results = []
for (let number = 0; number < runs; number += 1) {
  const started = performance.now()
  const result = await checkOnce(seed + number)
  results.push({ ...result, seconds: Math.round((performance.now() - started) / 1_000) })
  const { checked, wrong, seconds } = results.at(-1) ?? { checked: 0, wrong: [], seconds: 0 }
  process.stderr.write(
    `Run ${number + 1} of ${runs}: ${checked} checked, ${wrong.length} wrongly, ${seconds} s.\n`,
  )
  for (const name of wrong) process.stderr.write(`✕ ${name}\n`)
}
stop()
rmSync(folder, { recursive: true, force: true })

const checked = results.reduce((sum, result) => sum + result.checked, 0)
const wrong = results.flatMap((result) => result.wrong)
if (json) writeFileSync(1, `${JSON.stringify({ seed, load, runs: results }, null, 2)}\n`)
process.stderr.write(
  `${runs} runs with --seed ${seed} and ${load} busy processes: ${checked} checked, ${wrong.length} wrongly.\n`,
)
process.exitCode = wrong.length === 0 && checked > 0 ? 0 : 1

/**
 * Runs the tests of the example apps once, in the random order of a seed.
 *
 * @param {number} orderSeed
 */
async function checkOnce(orderSeed) {
  const report = join(folder, `${orderSeed}.json`)
  const args = [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project=sandbox',
    ...FILES,
    `--testNamePattern=${BLOCK}`,
    '--sequence.shuffle',
    `--sequence.seed=${orderSeed}`,
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const env = { ...process.env, PAYLINK_TEST_SIZE: 'full' }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'close')
  /** @type {{ testResults: { message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed')
  return {
    seed: orderSeed,
    checked: tests.filter(({ status }) => status === 'passed' || status === 'failed').length,
    wrong: failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`),
  }
}
