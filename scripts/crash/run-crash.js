import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../run.js'
import { checkDatabase } from './check-database.js'
import { collectErrors } from './collect-errors.js'
import { createExpectedState } from './expected-state.js'
import { inTime } from './in-time.js'
import { killUnderLoad } from './kill-under-load.js'
import { settleAndCheck } from './settle-and-check.js'
import { createRandom } from '../random.js'
import { startReceivers } from './receivers.js'
import { freePort, spawnSandbox } from '../spawn-sandbox.js'

/** Small enough that retention removes events during the run. */
const KEEP = 4_000

/** A process that is killed while it starts is killed after at most this time. */
const MAX_START_MS = 600

/**
 * @typedef {object} Options
 * @property {number} kills
 * @property {number} seed
 * @property {number} [maxAnswers] how many answers a run sends at most before it is killed
 * @property {(kill: Kill) => void} [onKill]
 */
/** @typedef {{ kill: number, when: string, answers: number, unanswered: number, links: number, problems: readonly string[] }} Kill */
/** @typedef {Kill & { seed: number, kills: number, file: string }} Result */

/**
 * Kills a sandbox under load again and again, restarts it with the same database, and checks each time that nothing it
 * answered is lost or wrong. Keeps the database if there are problems.
 *
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function runCrash({ kills, seed, maxAnswers = 300, onKill = () => {} }) {
  // Separate generators: the load draws numbers in the order of the answers, but the same seed must kill at the same moments.
  const plan = createRandom(seed)
  const random = createRandom(seed + 1)
  const checkRandom = createRandom(seed + 2)
  const expected = createExpectedState()
  const folder = mkdtempSync(join(tmpdir(), 'paylink-crash-'))
  const file = join(folder, 'sandbox.db')
  const receivers = await startReceivers()
  const load = { expected, random, origin: receivers.origin }
  const port = await freePort()
  const { connectSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'index.js')).href)
  /** @type {{ close(): Promise<void> } | undefined} */
  let handle
  /** @type {ReturnType<typeof spawnSandbox> | undefined} */
  let current
  let killed = 0
  /** @type {Kill} */
  let last = { kill: 0, when: 'never', answers: 0, unanswered: 0, links: 0, problems: [] }

  const basics = ['--port', String(port), '--db', file, '--keep', String(KEEP), '--quiet']
  const args = [...basics, '--behavior', 'retries=1s,1s']

  /** Starts a process that becomes ready. Sometimes kills processes before that. */
  async function start() {
    for (;;) {
      const sandbox = spawnSandbox(args, { cwd: folder })
      current = sandbox
      const isKilled = killed < kills - 1 && plan.chance(0.15)
      const timer = isKilled && setTimeout(() => void sandbox.end('SIGKILL'), plan.below(MAX_START_MS))
      const url = await inTime(sandbox.ready, 'The sandbox does not start in time.')
      if (timer) {
        clearTimeout(timer)
        await sandbox.end('SIGKILL')
        collectErrors(sandbox, expected.problems)
        reportKill(url === undefined ? 'during its start' : 'after its start')
        continue
      }
      if (url === undefined) throw new Error(`The sandbox did not start: ${sandbox.errors.join(' ')}`)
      return { ...sandbox, url }
    }
  }

  /** @param {string} when */
  function reportKill(when) {
    killed++
    const { answers, unanswered, problems } = expected
    const links = expected.links().length
    last = { kill: killed, when, answers, unanswered, links, problems: [...problems] }
    onKill(last)
  }

  try {
    while (killed < kills && expected.problems.length === 0) {
      const sandbox = await start()
      if (!handle) {
        handle = await connectSandbox(sandbox.url)
        await /** @type {any} */ (handle).tunnels.listen({
          tunnel: 'crash',
          forwardTo: `${receivers.origin}/listened`,
        })
      }
      check(false)
      if (expected.problems.length > 0) break
      const answers = 1 + plan.below(maxAnswers)
      const stops = plan.chance(0.1)
      await killUnderLoad(sandbox, load, { answers, ms: plan.pick([0, 0, 1, 5]), stops })
      reportKill(stops ? `after ${answers} answers, during its exit` : `after ${answers} answers`)
    }
    if (expected.problems.length === 0) await settleAndCheck(await start(), expected, () => check(true))
  } catch (error) {
    expected.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await current?.end('SIGKILL')
    await handle?.close()
    await receivers.close()
    last = { ...last, problems: [...expected.problems] }
    if (last.problems.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { ...last, seed, kills, file }

  /** @param {boolean} isSettled */
  function check(isSettled) {
    const url = `http://127.0.0.1:${port}`
    const known = { expected, receivers, url, keep: KEEP, isSettled, random: checkRandom }
    expected.problems.push(...checkDatabase(file, known))
  }
}
