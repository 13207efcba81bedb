import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildIfStale } from './build.js'
import { findOrFetchBrowser } from './browser.js'
import { runGuards } from './guards/run-guards.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

const { only, jobs, json } = readArguments()
setUp()
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

function readArguments() {
  try {
    const options = /** @type {const} */ ({
      only: { type: 'string', default: '' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      json: { type: 'boolean', default: false },
    })
    const { values } = parseArgs({ options })
    if (!/^[1-9]\d?$/.test(values.jobs)) throw new Error(`--jobs should be 1 to 99, not ${values.jobs}.`)
    return { ...values, jobs: Number(values.jobs) }
  } catch (error) {
    return fail(
      `${/** @type {Error} */ (error).message} There are --only <part of a name>, --jobs <n> and --json.`,
    )
  }
}
