import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { WebSocket } from 'ws'
import { root } from '../run.js'
import { createCaller } from './caller.js'
import { checkDatabase } from './check-database.js'
import { createExpectedState, createStreamLog } from './expected-state.js'
import { makePayments } from './load.js'
import { createRandom } from '../random.js'
import { startReceivers } from './receivers.js'
import { settle } from './settle.js'
import { freePort, spawnSandbox } from '../spawn-sandbox.js'
import { withTimeout } from '../with-timeout.js'

/** Small enough that retention removes events during the run. */
const KEEP = 4_000

const POLL_INTERVAL_MS = 50

/** Much longer than a start, a run or the end take, even on a busy machine. */
const TIMEOUT_MS = 120_000

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
      const url = await withTimeout(sandbox.ready, TIMEOUT_MS, 'The sandbox does not start in time.')
      if (timer) {
        clearTimeout(timer)
        await sandbox.end('SIGKILL')
        collectErrors(sandbox)
        reportKill(url === undefined ? 'during its start' : 'after its start')
        continue
      }
      if (url === undefined) throw new Error(`The sandbox did not start: ${sandbox.errors.join(' ')}`)
      return { ...sandbox, url }
    }
  }

  /**
   * A line on stderr is a problem.
   *
   * @param {{ errors: string[] }} sandbox
   */
  function collectErrors({ errors }) {
    expected.problems.push(...errors.splice(0).map((line) => `stderr: ${line}`))
  }

  /** @param {string} when */
  function reportKill(when) {
    killed++
    const { answers, unanswered, problems } = expected
    last = {
      kill: killed,
      when,
      answers,
      unanswered,
      links: expected.links().length,
      problems: [...problems],
    }
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
      await runUntilKilled(sandbox, { answers, ms: plan.pick([0, 0, 1, 5]), stops })
      reportKill(stops ? `after ${answers} answers, during its exit` : `after ${answers} answers`)
    }
    if (expected.problems.length === 0) await settleAndCheck()
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

  /**
   * Sends load until there are enough answers. Then kills the sandbox, some milliseconds later.
   *
   * @param {Awaited<ReturnType<typeof start>>} sandbox
   * @param {{ answers: number, ms: number, stops: boolean }} kill `stops`: it gets SIGTERM before
   */
  async function runUntilKilled(sandbox, { answers, ms, stops }) {
    const { url, child } = sandbox
    let isOver = false
    let isKilled = false
    let remaining = answers
    const stream = followStream(url, random.chance(0.5) ? expected.stream.last : 0)
    const caller = createCaller(
      url,
      (isAnswered) => {
        if (isAnswered) expected.answers++
        else expected.unanswered++
        if (isAnswered && --remaining === 0) void kill()
      },
      (what) => void expected.problems.push(what),
    )
    async function kill() {
      isKilled = true
      if (stops) child.kill('SIGTERM')
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      isOver = true
      await sandbox.end('SIGKILL')
    }
    const closed = sandbox.closed.then(() => {
      isOver = true
      if (isKilled) return
      expected.problems.push(`The sandbox exited by itself, with ${child.exitCode ?? child.signalCode}.`)
    })
    const load = { caller, expected, random, origin: receivers.origin, url, isOver: () => isOver }
    try {
      const all = Promise.all([makePayments(load), closed])
      await withTimeout(all, TIMEOUT_MS, `The sandbox hangs: ${remaining} of ${answers} answers are missing.`)
    } finally {
      isKilled = isOver = true
      await sandbox.end('SIGKILL')
      collectErrors(sandbox)
      await caller.close()
      stream.terminate()
    }
  }

  /**
   * @param {string} url
   * @param {number} after
   */
  function followStream(url, after) {
    const log = createStreamLog(after)
    expected.stream = log
    const stream = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream?after=${after}`)
    stream.on('error', () => {})
    stream.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type !== 'events') return
      for (const { seq, type } of message.events) {
        if (seq <= log.last) expected.problems.push(`The stream sent event ${seq} after ${log.last}.`)
        log.types.set(seq, type)
        log.last = seq
      }
    })
    return stream
  }

  /** Checks the final state, after all webhooks have been sent and the stream has reached the end of the journal. */
  async function settleAndCheck() {
    const sandbox = await start()
    const caller = createCaller(
      sandbox.url,
      () => {},
      (what) => void expected.problems.push(what),
    )
    const stream = followStream(sandbox.url, 0)
    try {
      await withTimeout(settle(caller), TIMEOUT_MS, 'The sandbox does not settle at the end.')
      await withTimeout(
        untilStreamIsComplete(caller),
        TIMEOUT_MS,
        'The stream does not reach the end of the journal.',
      )
      check(true)
    } finally {
      stream.terminate()
      await caller.close()
      await withTimeout(sandbox.end('SIGTERM'), TIMEOUT_MS, 'The sandbox does not stop.').finally(() =>
        collectErrors(sandbox),
      )
    }
  }

  /** @param {import('./caller.js').Caller} caller */
  async function untilStreamIsComplete(caller) {
    for (;;) {
      const newest = await caller.control('GET', '/events?limit=1')
      if (!newest || newest.body.events[0].seq <= expected.stream.last) return
      await pause(POLL_INTERVAL_MS)
    }
  }

  /** @param {boolean} isSettled */
  function check(isSettled) {
    const url = `http://127.0.0.1:${port}`
    const known = { expected, receivers, url, keep: KEEP, isSettled, random: checkRandom }
    expected.problems.push(...checkDatabase(file, known))
  }
}
