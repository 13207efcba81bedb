import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { randomSeed, readOptions } from './read-options.js'
import { setUp } from './setup.js'

const {
  requests = 100_000,
  seed = randomSeed(),
  json = false,
} = readOptions({
  command: 'npm run fuzz --',
  text: 'Sends a sandbox valid and invalid requests, and checks every answer against the OpenAPI documents.',
  flags: {
    requests: { type: 'number', text: 'How many requests. Default: 100000.' },
    seed: { type: 'number', text: 'Repeats the requests of an earlier run.' },
    json: { type: 'boolean', text: 'Prints the result as JSON.' },
  },
})
await setUp()
buildIfStale()
// Imported only now, because its dependencies may have been missing before the setup.
const { fuzz } = await import('./fuzz/fuzz.js')

const folder = mkdtempSync(join(tmpdir(), 'paylink-fuzz-'))
process.stderr.write(`Sending ${requests} requests with --seed ${seed}.\n`)
const result = await fuzz({ requests, seed, folder, progress: (line) => process.stderr.write(`${line}\n`) })
const { findings, sent, perSecond, maxMemory, operations } = result
const hasFindings = findings.length > 0
if (!hasFindings) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

if (json) {
  const report = { seed, ...result, folder: hasFindings ? folder : null }
  writeFileSync(1, `${JSON.stringify(report, null, 2)}\n`)
} else {
  for (const { what, where, command } of findings)
    process.stdout.write(`✕ ${what}\n  ${where}\n  ${command}\n\n`)
}
const succeeded = Object.entries(operations).map(([name, counts]) => `${name} ${counts.succeeded}`)
process.stderr.write(`Successful calls: ${succeeded.join(', ')}.\n`)
const total = findings.length === 1 ? '1 finding' : `${findings.length} findings`
process.stderr.write(
  `${sent} requests with --seed ${seed}: ${total}. ${perSecond} requests a second, at most ${maxMemory} MB of memory.\n`,
)
if (hasFindings) {
  process.stderr.write(
    `The database is kept: ${folder}. Repeat: npm run fuzz -- --requests ${requests} --seed ${seed}\n`,
  )
}
process.exitCode = hasFindings ? 1 : 0
