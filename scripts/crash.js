import { writeFileSync } from 'node:fs'
import { buildIfStale } from './build-if-stale.js'
import { randomSeed, readOptions } from './read-options.js'
import { printProblems } from './print-problems.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

const {
  kills = 100,
  seed = randomSeed(),
  json = false,
  cluster = false,
} = readOptions({
  command: 'npm run crash --',
  text: 'Kills a sandbox under load again and again, and checks that nothing it answered is lost or wrong.',
  flags: {
    kills: { type: 'number', text: 'How often it is killed. Default: 100.' },
    seed: { type: 'number', text: 'Repeats the moments of an earlier run.' },
    cluster: {
      type: 'boolean',
      text: 'Disturbs three replicas on PostgreSQL: kills, stops and freezes the leader, kills followers, restarts all in turn, cuts connections, restarts PostgreSQL.',
    },
    json: { type: 'boolean', text: 'Prints the result as JSON.' },
  },
})
await setUp()
buildIfStale()
const out = json ? process.stderr : process.stdout
process.exitCode = (await (cluster ? crashCluster() : crashOne())) ? 0 : 1

// The scripts are imported only now, because their dependencies may have been missing before the setup.

/** @returns {Promise<boolean>} whether nothing was lost */
async function crashOne() {
  const { runCrash } = await import('./crash/run-crash.js')
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
  printJson({ ...result, file: problems.length > 0 ? file : null })
  return problems.length === 0
}

/** @returns {Promise<boolean>} whether nothing was lost */
async function crashCluster() {
  const { findOrFetchPostgres } = await import('./find-postgres.js')
  const programs = findOrFetchPostgres()
  if (programs === undefined) return fail('PostgreSQL is not installed, and could not be downloaded.')
  const { planIncidents } = await import('./crash/incidents.js')
  const { runCluster } = await import('./crash/run-cluster.js')
  out.write(`Seed ${seed}: ${kills} kills of the leader, and other incidents.\n`)
  const result = await runCluster({
    programs,
    incidents: planIncidents(kills, seed),
    seed,
    onIncident: ({ number, incident, ms, answers, unanswered, links }) =>
      void out.write(
        `${String(number).padStart(4)}  ${incident.padEnd(20)} ${Math.round(ms)} ms without an answer; ${answers} answers, ${unanswered} unanswered, ${links} links\n`,
      ),
  })
  const { problems, incidents, answers, links, withoutLeader, folder } = result
  printProblems(out, problems)
  const names = new Set(incidents.map(({ incident }) => incident))
  const happened = [...names].map(
    (name) => `${incidents.filter(({ incident }) => incident === name).length} × ${name}`,
  )
  out.write(
    problems.length === 0
      ? `✓ Nothing was lost in ${answers} answers and ${links} links. ${happened.join(', ')}. Longest time without an answer: ${withoutLeader.p50} ms (p50), ${withoutLeader.p99} ms (p99).\n`
      : `The last state is kept: ${folder}. Repeat: npm run crash -- --cluster --kills ${kills} --seed ${seed}\n`,
  )
  printJson({ ...result, folder: problems.length > 0 ? folder : null })
  return problems.length === 0
}

/** @param {object} result */
function printJson(result) {
  if (json) writeFileSync(1, `${JSON.stringify(result, null, 2)}\n`)
}
