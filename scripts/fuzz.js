import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfStale } from './build.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

const { requests, seed, json } = readArguments()
setUp()
buildIfStale()
// Its dependencies are there only now.
const { fuzz } = await import('./fuzz/fuzz.js')

const folder = mkdtempSync(join(tmpdir(), 'paylink-fuzz-'))
process.stderr.write(`Sending ${requests} requests with --seed ${seed}.\n`)
const result = await fuzz({ requests, seed, folder, progress: (line) => process.stderr.write(`${line}\n`) })
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

const { findings, sent, perSecond, mostMemory } = result
if (json) writeFileSync(1, `${JSON.stringify({ seed, ...result }, null, 2)}\n`)
else
  for (const { what, where, command } of findings)
    process.stdout.write(`✕ ${what}\n  ${where}\n  ${command}\n\n`)
const total = findings.length === 1 ? '1 finding' : `${findings.length} findings`
process.stderr.write(
  `${sent} requests with --seed ${seed}: ${total}. ${perSecond} a second, at most ${mostMemory} MB held.\n`,
)
process.exitCode = findings.length === 0 ? 0 : 1

function readArguments() {
  const options = /** @type {const} */ ({
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    json: { type: 'boolean', default: false },
  })
  try {
    const { values } = parseArgs({ options })
    return {
      requests: whole('requests', values.requests),
      seed: whole('seed', values.seed),
      json: values.json,
    }
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message} There are --requests <n>, --seed <n> and --json.`)
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function whole(name, text) {
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`--${name} should be a whole number up to 999999999, not ${text}.`)
  return Number(text)
}
