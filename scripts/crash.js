import { writeFileSync } from 'node:fs'
import { buildIfStale } from './build-if-stale.js'
import { randomSeed, readOptions } from './read-options.js'
import { setUp } from './setup.js'

await setUp()
buildIfStale()
// Its dependencies are there only now.
const { runCrash } = await import('./crash/run-crash.js')

/** What is wrong is often wrong of many. */
const SHOWN = 50

const options = readOptions(['kills', 'seed'], [], ['json'])
const { kills = 100, seed = randomSeed(), json = false } = options
const out = json ? process.stderr : process.stdout
out.write(`Seed ${seed}: ${kills} kills.\n`)
const result = await runCrash({
  kills,
  seed,
  onKill: ({ kill, when, answers, unanswered, links }) =>
    void out.write(
      `${String(kill).padStart(4)}  ${when.padEnd(34)} ${answers} answers, ${unanswered} unanswered, ${links} links\n`,
    ),
})
const { wrong, file, answers, links } = result
for (const line of wrong.slice(0, SHOWN)) out.write(`✕ ${line}\n`)
if (wrong.length > SHOWN) out.write(`✕ and ${wrong.length - SHOWN} more\n`)
out.write(
  wrong.length === 0
    ? `✓ After ${kills} kills, ${answers} answers and ${links} links, nothing is lost.\n`
    : `The file is kept: ${file}. Again: npm run crash -- --kills ${kills} --seed ${seed}\n`,
)
if (json)
  writeFileSync(1, `${JSON.stringify({ ...result, file: wrong.length > 0 ? file : null }, null, 2)}\n`)
process.exitCode = wrong.length > 0 ? 1 : 0
