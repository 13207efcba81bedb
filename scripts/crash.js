import { writeFileSync } from 'node:fs'
import { buildIfStale } from './build-if-stale.js'
import { randomSeed, readOptions } from './read-options.js'
import { printProblems } from './print-problems.js'
import { setUp } from './setup.js'

const {
  kills = 100,
  seed = randomSeed(),
  json = false,
} = readOptions({
  command: 'npm run crash --',
  text: 'Kills a sandbox under load again and again, and checks that nothing it answered is lost or wrong.',
  flags: {
    kills: { type: 'number', text: 'How often it is killed. Default: 100.' },
    seed: { type: 'number', text: 'Repeats the moments of an earlier run.' },
    json: { type: 'boolean', text: 'Prints the result as JSON.' },
  },
})
await setUp()
buildIfStale()
// Imported only now, because its dependencies may have been missing before the setup.
const { runCrash } = await import('./crash/run-crash.js')

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
const { problems, file, answers, links } = result
printProblems(out, problems)
out.write(
  problems.length === 0
    ? `✓ Nothing was lost in ${kills} kills, ${answers} answers and ${links} links.\n`
    : `The database is kept: ${file}. Repeat: npm run crash -- --kills ${kills} --seed ${seed}\n`,
)
if (json)
  writeFileSync(1, `${JSON.stringify({ ...result, file: problems.length > 0 ? file : null }, null, 2)}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
