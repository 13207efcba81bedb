import { writeFileSync } from 'node:fs'
import { buildIfStale } from './build-if-stale.js'
import { randomSeed, readOptions } from './read-options.js'
import { printProblems } from './print-problems.js'
import { setUp } from './setup.js'

const {
  minutes = 30,
  seed = randomSeed(),
  out = 'soak',
} = readOptions({
  command: 'npm run soak --',
  text: 'Keeps a sandbox under steady load, and fails if memory, files, the journal or the event loop delay grow, or if answers are wrong or missing. Needs the machine for itself.',
  flags: {
    minutes: { type: 'number', text: 'How long. Default: 30.' },
    seed: { type: 'number', text: 'Repeats the load of an earlier run.' },
    out: { type: 'string', value: 'name', text: 'Writes <out>.json and <out>.svg. Default: soak.' },
  },
})
await setUp()
buildIfStale()
// Imported only now, because its dependencies may have been missing before the setup.
const { runSoak } = await import('./soak/run-soak.js')
const { plot } = await import('./soak/plot.js')

const PRINT_EVERY_S = 30

process.stdout.write(`Seed ${seed}: ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.\n`)
let printedAt = -Infinity
const { samples, verdicts, keep, unanswered, problems } = await runSoak({
  minutes,
  seed,
  onSample(sample) {
    if (sample.at - printedAt < PRINT_EVERY_S) return
    printedAt = sample.at
    const { at, rss, heap, delayMs, longestMs, files, events, links } = sample
    process.stdout.write(
      `${at.toFixed(0).padStart(6)} s  ${mib(rss)} MiB resident, ${mib(heap)} MiB heap, ${delayMs.toFixed(0)} ms median delay, ${longestMs.toFixed(0)} ms longest, ${files} files, ${events} events, ${links} links\n`,
    )
  },
})
writeFileSync(`${out}.json`, `${JSON.stringify({ seed, minutes, verdicts, samples }, null, 2)}\n`)
writeFileSync(`${out}.svg`, plot(samples))
for (const { what, value, limit, unit } of verdicts) {
  process.stdout.write(
    `${value <= limit ? '✓' : '✕'} ${what.padEnd(28)} ${value.toFixed(1).padStart(9)} ${unit.padEnd(6)} limit ${limit}\n`,
  )
}
if (!verdicts.some(({ what }) => what === 'events in the journal')) {
  process.stdout.write(
    `– Journal and database file were not judged, because the journal was not full (${keep} events) at half time. Use more --minutes.\n`,
  )
}
printProblems(process.stdout, problems)
if (unanswered > 0) process.stdout.write(`✕ ${unanswered} calls got no answer.\n`)
process.stdout.write(`All figures: ${out}.json and ${out}.svg\n`)
const hasFailed = unanswered > 0 || problems.length > 0 || verdicts.some(({ value, limit }) => value > limit)
process.exitCode = hasFailed ? 1 : 0

/** @param {number} bytes */
function mib(bytes) {
  return (bytes / 2 ** 20).toFixed(0)
}
