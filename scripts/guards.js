import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { buildIfStale } from './build-if-stale.js'
import { findOrFetchBrowser } from './find-browser.js'
import { runGuards } from './guards/run-guards.js'
import { readOptions } from './read-options.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

const {
  only = '',
  jobs = availableParallelism(),
  json = false,
} = readOptions({
  command: 'npm run guards --',
  text: 'Removes each security guard of guards/table.js from a copy of the project, and checks that its test fails.',
  flags: {
    only: { type: 'string', value: 'text', text: 'Only guards with this text in their name.' },
    jobs: { type: 'number', text: 'How many at once. Default: one for each processor.' },
    json: { type: 'boolean', text: 'Prints the results as JSON.' },
  },
})
setUp()
process.env.PAYLINK_TEST_BROWSER = findOrFetchBrowser()
buildIfStale()

const out = json ? process.stderr : process.stdout
const results = await runGuards({ only, jobs }, ({ name, outcome, why }) => {
  out.write(`${outcome === 'caught' ? '✓' : '✕'} ${name}${why === null ? '' : `: ${why}`}\n`)
})
if (results.length === 0) fail(`No guard has ${only} in its name. scripts/guards/table.js lists them.`)
const missed = results.filter(({ outcome }) => outcome !== 'caught')
out.write(
  missed.length === 0
    ? `All ${results.length} guards: a test fails without the guard.\n`
    : `${missed.length} of ${results.length} guards: no test fails without the guard, or its row in scripts/guards/table.js is out of date.\n`,
)
if (json) writeFileSync(1, `${JSON.stringify(results, null, 2)}\n`)
process.exitCode = missed.length === 0 ? 0 : 1
