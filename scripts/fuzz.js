import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { randomSeed, readOptions } from './read-options.js'
import { setUp } from './setup.js'

const options = readOptions(['requests', 'seed'], [], ['json'])
const { requests = 100_000, seed = randomSeed(), json = false } = options
await setUp()
buildIfStale()
// Its dependencies are there only now.
const { fuzz } = await import('./fuzz/fuzz.js')

const folder = mkdtempSync(join(tmpdir(), 'paylink-fuzz-'))
process.stderr.write(`Sending ${requests} requests with --seed ${seed}.\n`)
const result = await fuzz({ requests, seed, folder, progress: (line) => process.stderr.write(`${line}\n`) })
const { findings, sent, perSecond, mostMemory, operations } = result
const isSound = findings.length === 0
if (isSound) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

if (json) {
  const told = { seed, ...result, folder: isSound ? null : folder }
  writeFileSync(1, `${JSON.stringify(told, null, 2)}\n`)
} else {
  for (const { what, where, command } of findings)
    process.stdout.write(`✕ ${what}\n  ${where}\n  ${command}\n\n`)
}
const succeeded = Object.entries(operations).map(([name, counts]) => `${name} ${counts.succeeded}`)
process.stderr.write(`Succeeded: ${succeeded.join(', ')}.\n`)
const total = findings.length === 1 ? '1 finding' : `${findings.length} findings`
process.stderr.write(
  `${sent} requests with --seed ${seed}: ${total}. ${perSecond} a second, at most ${mostMemory} MB held.\n`,
)
if (!isSound) {
  process.stderr.write(
    `Its database is kept: ${folder}. Again: npm run fuzz -- --requests ${requests} --seed ${seed}\n`,
  )
}
process.exitCode = isSound ? 0 : 1
