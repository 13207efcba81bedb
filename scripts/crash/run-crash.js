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

/** Few enough that retention takes something away. */
const KEEP = 4_000

const POLL_INTERVAL_MS = 50

/** Far more than a start, a life and the end take on a machine that is busy. */
const TIMEOUT_MS = 120_000

/** How many milliseconds at most a process is given that is killed while it starts. */
const START_MS = 600

/** @typedef {{ kills: number, seed: number, answersALife?: number, onKill?: (told: Killed) => void }} Options */
/** @typedef {{ kill: number, when: string, answers: number, unanswered: number, links: number, wrong: readonly string[] }} Killed */
/** @typedef {Killed & { seed: number, kills: number, file: string }} Result */

/**
 * Kills a sandbox under load again and again, starts it on the same file, and looks each time whether anything that was
 * answered is lost, or answered wrongly. The file stays where something is wrong.
 *
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function runCrash({ kills, seed, answersALife = 300, onKill = () => {} }) {
  // What is done takes chances in the order in which it is answered; when it is killed is to be the same again.
  const plan = createRandom(seed)
  const random = createRandom(seed + 1)
  const again = createRandom(seed + 2)
  const ledger = createExpectedState()
  const folder = mkdtempSync(join(tmpdir(), 'paylink-crash-'))
  const file = join(folder, 'sandbox.db')
  const receivers = await startReceivers()
  const port = await freePort()
  const { connectSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'index.js')).href)
  /** @type {{ close(): Promise<void> } | undefined} */
  let handle
  /** @type {ReturnType<typeof spawnSandbox> | undefined} */
  let current
  let done = 0
  /** @type {Killed} */
  let last = { kill: 0, when: 'never', answers: 0, unanswered: 0, links: 0, wrong: [] }

  const basics = ['--port', String(port), '--db', file, '--keep', String(KEEP), '--quiet']
  const args = [...basics, '--behavior', 'retries=1s,1s']

  /** A process that is ready, however many are killed before they are. */
  async function start() {
    for (;;) {
      const sandbox = spawnSandbox(args, { cwd: folder })
      current = sandbox
      const isKilled = done < kills - 1 && plan.chance(0.15)
      const timer = isKilled && setTimeout(() => void sandbox.end('SIGKILL'), plan.below(START_MS))
      const url = await withTimeout(sandbox.ready, TIMEOUT_MS, 'The sandbox takes too long to start.')
      if (timer) {
        clearTimeout(timer)
        await sandbox.end('SIGKILL')
        collectErrors(sandbox)
        reportKill(url === undefined ? 'while it started' : 'once it had started')
        continue
      }
      if (url === undefined) throw new Error(`The sandbox does not start: ${sandbox.errors.join(' ')}`)
      return { ...sandbox, url }
    }
  }

  /**
   * What a sandbox says on stderr is meant for somebody.
   *
   * @param {{ errors: string[] }} sandbox
   */
  function collectErrors({ errors }) {
    ledger.unexpected.push(...errors.splice(0).map((line) => `The sandbox said: ${line}`))
  }

  /** @param {string} when */
  function reportKill(when) {
    done++
    const { answers, unanswered, unexpected } = ledger
    last = { kill: done, when, answers, unanswered, links: ledger.links().length, wrong: [...unexpected] }
    onKill(last)
  }

  try {
    while (done < kills && ledger.unexpected.length === 0) {
      const sandbox = await start()
      if (!handle) {
        handle = await connectSandbox(sandbox.url)
        await /** @type {any} */ (handle).tunnels.listen({
          name: 'crash',
          to: `${receivers.origin}/listened`,
        })
      }
      check(false)
      if (ledger.unexpected.length > 0) break
      const answers = 1 + plan.below(answersALife)
      const isAsked = plan.chance(0.1)
      await runUntilKilled(sandbox, { answers, ms: plan.pick([0, 0, 1, 5]), isAsked })
      reportKill(isAsked ? `${answers} answers on, while it stopped` : `${answers} answers on`)
    }
    if (ledger.unexpected.length === 0) await settleAndCheck()
  } catch (error) {
    ledger.unexpected.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await current?.end('SIGKILL')
    await handle?.close()
    await receivers.close()
    last = { ...last, wrong: [...ledger.unexpected] }
    if (last.wrong.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { ...last, seed, kills, file }

  /**
   * Load until so many answers have come; then it is killed, some milliseconds later.
   *
   * @param {Awaited<ReturnType<typeof start>>} sandbox
   * @param {{ answers: number, ms: number, isAsked: boolean }} plan
   */
  async function runUntilKilled(sandbox, { answers, ms, isAsked }) {
    const { url, child } = sandbox
    let isOver = false
    let isKilled = false
    let left = answers
    const stream = followStream(url, random.chance(0.5) ? ledger.stream.last : 0)
    const caller = createCaller(
      url,
      (isAnswered) => {
        if (isAnswered) ledger.answers++
        else ledger.unanswered++
        if (isAnswered && --left === 0) void kill()
      },
      (what) => void ledger.unexpected.push(what),
    )
    async function kill() {
      isKilled = true
      if (isAsked) child.kill('SIGTERM')
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      isOver = true
      await sandbox.end('SIGKILL')
    }
    const closed = sandbox.closed.then(() => {
      isOver = true
      if (isKilled) return
      ledger.unexpected.push(`The sandbox ended by itself, with ${child.exitCode ?? child.signalCode}.`)
    })
    const load = { caller, ledger, random, origin: receivers.origin, url, isOver: () => isOver }
    try {
      const all = Promise.all([makePayments(load), closed])
      await withTimeout(all, TIMEOUT_MS, `The sandbox hangs: ${left} of ${answers} answers have not come.`)
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
    const told = createStreamLog(after)
    ledger.stream = told
    const stream = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream?after=${after}`)
    stream.on('error', () => {})
    stream.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type !== 'events') return
      for (const { seq, type } of message.events) {
        if (seq <= told.last) ledger.unexpected.push(`The stream told event ${seq} after ${told.last}.`)
        told.told.set(seq, type)
        told.last = seq
      }
    })
    return stream
  }

  /** What is there in the end, once everything has gone out and the stream has told of it. */
  async function settleAndCheck() {
    const sandbox = await start()
    const caller = createCaller(
      sandbox.url,
      () => {},
      (what) => void ledger.unexpected.push(what),
    )
    const stream = followStream(sandbox.url, 0)
    try {
      await withTimeout(settle(caller), TIMEOUT_MS, 'The sandbox does not settle in the end.')
      await withTimeout(
        untilStreamIsComplete(caller),
        TIMEOUT_MS,
        'The stream does not come to the end of the journal.',
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
      if (!newest || newest.body.events[0].seq <= ledger.stream.last) return
      await pause(POLL_INTERVAL_MS)
    }
  }

  /** @param {boolean} isSettled */
  function check(isSettled) {
    const url = `http://127.0.0.1:${port}`
    const known = { ledger, receivers, url, keep: KEEP, isSettled, random: again }
    ledger.unexpected.push(...checkDatabase(file, known))
  }
}
