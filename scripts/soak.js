import { writeFileSync } from 'node:fs'
import { randomSeed, readOptions } from './read-options.js'
import { buildIfStale } from './build-if-stale.js'
import { setUp } from './setup.js'

await setUp()
buildIfStale()
// Its dependencies are there only now.
const { runSoak } = await import('./soak/run-soak.js')
const { plot } = await import('./soak/plot.js')

/** What is wrong is often wrong of many. */
const SHOWN = 50

const { minutes = 30, seed = randomSeed(), out = 'soak' } = readOptions(['minutes', 'seed'], ['out'])
process.stdout.write(`Seed ${seed}: ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.\n`)
let told = -Infinity
const { samples, verdicts, keep, lost, wrong } = await runSoak({
  minutes,
  seed,
  onSample(sample) {
    if (sample.at - told < 30) return
    told = sample.at
    const { at, rss, heap, delayMs, longestMs, files, events, links } = sample
    process.stdout.write(
      `${at.toFixed(0).padStart(6)} s  ${mib(rss)} MiB resident, ${mib(heap)} MiB heap, ${delayMs.toFixed(0)} ms delay, ${longestMs.toFixed(0)} ms at most, ${files} files, ${events} events, ${links} links\n`,
    )
  },
})
writeFileSync(`${out}.json`, `${JSON.stringify({ seed, minutes, verdicts, samples }, null, 2)}\n`)
writeFileSync(`${out}.svg`, plot(samples))
for (const { what, grew, bound, unit } of verdicts) {
  process.stdout.write(
    `${grew <= bound ? '✓' : '✕'} ${what.padEnd(28)} ${grew.toFixed(1).padStart(9)} ${unit.padEnd(6)} asked ≤ ${bound}\n`,
  )
}
if (!verdicts.some(({ what }) => what === 'events in the journal')) {
  process.stdout.write(
    `– Journal and file are not judged: at half time the journal was not full yet, which has ${keep} events. Take more --minutes.\n`,
  )
}
for (const line of wrong.slice(0, SHOWN)) process.stdout.write(`✕ ${line}\n`)
if (wrong.length > SHOWN) process.stdout.write(`✕ and ${wrong.length - SHOWN} more\n`)
if (lost > 0) process.stdout.write(`✕ ${lost} calls were not answered.\n`)
process.stdout.write(`Every figure: ${out}.json and ${out}.svg\n`)
process.exitCode = lost > 0 || wrong.length > 0 || verdicts.some(({ grew, bound }) => grew > bound) ? 1 : 0

/** @param {number} bytes */
function mib(bytes) {
  return (bytes / 2 ** 20).toFixed(0)
}
