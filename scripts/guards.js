import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { buildIfStale } from './build-if-stale.js'
import { findOrFetchBrowser } from './find-browser.js'
import { runGuards } from './guards/run-guards.js'
import { readOptions } from './read-options.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

const options = readOptions(['jobs'], ['only'], ['json'])
const { only = '', jobs = availableParallelism(), json = false } = options
await setUp()
process.env.PAYLINK_TEST_BROWSER = await findOrFetchBrowser()
buildIfStale()

const out = json ? process.stderr : process.stdout
const results = await runGuards({ only, jobs }, ({ name, outcome, why }) => {
  out.write(`${outcome === 'noticed' ? '✓' : '✕'} ${name}${why === null ? '' : `: ${why}`}\n`)
})
if (results.length === 0) fail(`No guard has ${only} in its name. scripts/guards/table.js lists them.`)
const bad = results.filter(({ outcome }) => outcome !== 'noticed')
out.write(
  bad.length === 0
    ? `Each of ${results.length} guards is missed where it is taken out.\n`
    : `${bad.length} of ${results.length} guards could be taken out, or their rows in scripts/guards/table.js no longer fit.\n`,
)
if (json) writeFileSync(1, `${JSON.stringify(results, null, 2)}\n`)
process.exitCode = bad.length === 0 ? 0 : 1
