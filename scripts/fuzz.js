import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build.js'
import { anySeed, readOptions } from './read-options.js'
import { setUp } from './setup.js'

const options = readOptions(['requests', 'seed'], [], ['json'])
const { requests = 100_000, seed = anySeed(), json = false } = options
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
