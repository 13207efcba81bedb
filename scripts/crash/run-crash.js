import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WebSocket } from 'ws'
import { root } from '../run.js'
import { createCaller } from './caller.js'
import { check } from './checks.js'
import { createLedger } from './ledger.js'
import { makePayments } from './load.js'
import { createRandom } from '../random.js'
import { startReceivers } from './receivers.js'
import { settle } from './settle.js'
import { freePort, spawnBuilt } from '../spawn-built.js'

/** Few enough that retention takes something away. */
const KEEP = 4_000

/** @typedef {{ kills: number, seed: number, answersALife?: number, onKill?: (told: Killed) => void }} Options */
/** @typedef {{ kill: number, when: string, answers: number, unanswered: number, links: number, wrong: readonly string[] }} Killed */
/** @typedef {Killed & { seed: number, kills: number, file: string }} Result */

/**
 * Kills a sandbox under load again and again, starts it on the same file, and looks each time whether anything that was
 * answered is lost. The file stays where something is wrong.
 *
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function runCrash({ kills, seed, answersALife = 300, onKill = () => {} }) {
  // What is done takes chances in the order in which it is answered; when it is killed is to be the same again.
  const plan = createRandom(seed)
  const random = createRandom(seed + 1)
  const ledger = createLedger()
  const folder = mkdtempSync(join(tmpdir(), 'paylink-crash-'))
  const file = join(folder, 'sandbox.db')
  const receivers = await startReceivers()
  const port = await freePort()
  const { connectSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'index.js')).href)
  /** @type {{ close(): Promise<void> } | undefined} */
  let handle
  /** @type {ReturnType<typeof spawnBuilt> | undefined} */
  let current
  let done = 0
  /** @type {Killed} */
  let last = { kill: 0, when: 'never', answers: 0, unanswered: 0, links: 0, wrong: [] }

  /** A process that is ready, however many are killed before they are. */
  async function start() {
    for (;;) {
      const sandbox = spawnBuilt(
        [
          '--port',
          String(port),
          '--db',
          file,
          '--keep',
          String(KEEP),
          '--quiet',
          '--behavior',
          'retries=1s,1s',
        ],
        { cwd: folder },
      )
      current = sandbox
      if (done < kills - 1 && plan.chance(0.15)) {
        const ms = plan.below(600)
        const timer = setTimeout(() => void sandbox.end('SIGKILL'), ms)
        const url = await sandbox.ready
        clearTimeout(timer)
        await sandbox.end('SIGKILL')
        tell(url === undefined ? 'while it started' : 'once it had started', [])
        continue
      }
      const url = await sandbox.ready
      if (url === undefined) throw new Error(`The sandbox does not start: ${sandbox.errors.join(' ')}`)
      return { ...sandbox, url }
    }
  }

  /**
   * @param {string} when
   * @param {readonly string[]} wrong
   */
  function tell(when, wrong) {
    done++
    const { answers, unanswered } = ledger
    last = { kill: done, when, answers, unanswered, links: ledger.links().length, wrong }
    onKill(last)
  }

  try {
    while (done < kills && last.wrong.length === 0) {
      const sandbox = await start()
      if (!handle) {
        handle = await connectSandbox(sandbox.url)
        await /** @type {any} */ (handle).tunnels.listen({
          name: 'crash',
          to: `${receivers.origin}/listened`,
        })
      }
      const wrong = check(file, {
        ledger,
        receivers,
        url: `http://127.0.0.1:${port}`,
        keep: KEEP,
        isSettled: false,
      })
      if (wrong.length > 0) {
        last = { ...last, wrong }
        await sandbox.end('SIGKILL')
        break
      }
      const answers = 1 + plan.below(answersALife)
      const isAsked = plan.chance(0.1)
      await live(sandbox, {
        answers,
        ms: plan.pick([0, 0, 1, 5]),
        isAsked,
      })
      tell(isAsked ? `${answers} answers on, while it stopped` : `${answers} answers on`, [])
    }
    if (last.wrong.length === 0) last = { ...last, wrong: await end() }
  } finally {
    await current?.end('SIGKILL')
    await handle?.close()
    await receivers.close()
    if (last.wrong.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { ...last, seed, kills, file }

  /**
   * Load until so many answers have come; then it is killed, some milliseconds later.
   *
   * @param {{ url: string, end: (signal: NodeJS.Signals) => Promise<unknown>, child: import('node:child_process').ChildProcess }} sandbox
   * @param {{ answers: number, ms: number, isAsked: boolean }} plan
   */
  async function live({ url, end: endWith, child }, { answers, ms, isAsked }) {
    let isOver = false
    let left = answers
    /** @type {Promise<unknown> | undefined} */
    let killed
    const stream = follow(url)
    const caller = createCaller(url, (isAnswered) => {
      if (isAnswered) ledger.answers++
      else ledger.unanswered++
      if (isAnswered && --left === 0) killed = kill()
    })
    async function kill() {
      if (isAsked) child.kill('SIGTERM')
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      isOver = true
      await endWith('SIGKILL')
    }
    await makePayments({ caller, ledger, random, origin: receivers.origin, url, isOver: () => isOver })
    await killed
    await caller.close()
    stream.terminate()
  }

  /** @param {string} url */
  function follow(url) {
    const stream = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream`)
    stream.on('error', () => {})
    stream.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type === 'events') for (const { seq, type } of message.events) ledger.told.set(seq, type)
    })
    return stream
  }

  /** What is there in the end, once everything has gone out. */
  async function end() {
    const sandbox = await start()
    const caller = createCaller(sandbox.url, () => {})
    await settle(caller)
    await caller.close()
    const wrong = look(true)
    await sandbox.end('SIGTERM')
    return wrong
  }

  /** @param {boolean} isSettled */
  function look(isSettled) {
    return check(file, { ledger, receivers, url: `http://127.0.0.1:${port}`, keep: KEEP, isSettled })
  }
}
