import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createCaller } from '../crash/caller.js'
import { createExpectedState } from '../crash/expected-state.js'
import { makePayments } from '../crash/load.js'
import { openStreamAndWaits } from '../crash/open-stream-and-waits.js'
import { createRandom } from '../random.js'
import { startReceivers } from '../crash/receivers.js'
import { freePort, spawnSandbox } from '../spawn-sandbox.js'
import { root } from '../run.js'
import { withTimeout } from '../with-timeout.js'
import { judgeSamples } from './judge-samples.js'

/** @typedef {import('./judge-samples.js').Sample} Sample */

/** Small enough that the journal is full within the first minutes. */
const KEEP = 5_000
const PAYMENTS_A_SECOND = 12

const OBSERVE_EVERY_MS = 100

/** A sandbox without an answer for this time hangs. */
const TIMEOUT_MS = 30_000

/**
 * Keeps a sandbox under steady load, and measures it again and again.
 *
 * @param {{ minutes: number, seed: number, onSample?: (sample: Sample) => void }} options
 */
export async function runSoak({ minutes, seed, onSample = () => {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-soak-'))
  const file = join(folder, 'sandbox.db')
  const receivers = await startReceivers()
  const port = await freePort()
  const sandbox = spawnSandbox(
    ['--port', String(port), '--db', file, '--keep', String(KEEP), '--quiet', '--behavior', 'retries=1s,1s'],
    { cwd: folder, execArgv: ['--expose-gc', '--import', join(import.meta.dirname, 'probe.js')] },
  )
  const url = await sandbox.ready
  if (url === undefined) throw new Error(`The sandbox did not start: ${sandbox.errors.join(' ')}`)
  const { connectSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'index.js')).href)
  const handle = await connectSandbox(url)
  await handle.tunnels.listen({ tunnel: 'crash', forwardTo: `${receivers.origin}/listened` })

  const idleProcess = fork(join(import.meta.dirname, 'idle-process.js'), { execArgv: ['--expose-gc'] })
  const expected = createExpectedState()

  let hasEnded = false
  let isDone = false
  const ended = sandbox.closed.then(([code, signal]) => {
    hasEnded = true
    throw new Error(`The sandbox exited by itself, with ${code ?? signal}.`)
  })
  ended.catch(() => {})

  const started = performance.now()
  const durationMs = minutes * 60_000
  const isOver = () => hasEnded || performance.now() - started > durationMs
  let unanswered = 0
  const caller = createCaller(
    url,
    (isAnswered) => void (isAnswered || unanswered++),
    (what) => void expected.problems.push(what),
  )
  let payments = 0
  /** Waits until the next payment is due. */
  async function pace() {
    const due = (payments++ / PAYMENTS_A_SECOND) * 1000 - (performance.now() - started)
    if (due > 0) await pause(due)
  }

  /** @type {Sample[]} */
  const samples = []
  async function sampleRepeatedly() {
    const everyMs = Math.max(1_000, durationMs / 200)
    for (;;) {
      await pause(everyMs)
      if (isDone) return
      const sample = await takeSample().catch(abort)
      if (sample === undefined) return
      samples.push(sample)
      onSample(sample)
    }
  }

  /** Opens streams and waits, as inspectors and tests do. */
  async function observeRepeatedly() {
    while (!isOver()) {
      await openStreamAndWaits(caller, url ?? '')
      await pause(OBSERVE_EVERY_MS)
    }
  }

  /** @param {Error} error */
  async function abort({ message }) {
    expected.problems.push(message)
    hasEnded = true
    await sandbox.end('SIGKILL')
    return undefined
  }

  /** @returns {Promise<Sample>} */
  async function takeSample() {
    const answers = Promise.all([
      requestSample(sandbox.child),
      requestSample(idleProcess),
      caller.control('GET', '/info'),
    ])
    const late = `The sandbox has not answered for ${TIMEOUT_MS / 1000} s.`
    const [inside, beside, info] = await withTimeout(Promise.race([answers, ended]), TIMEOUT_MS, late)
    return {
      at: (performance.now() - started) / 1000,
      ...inside,
      longestMs: Math.max(0, inside.longestMs - beside.longestMs),
      files: countFileDescriptors(sandbox.child.pid),
      events: info?.body.counts.events,
      links: info?.body.counts.links,
      file: statSync(file).size,
      wal: fileSize(`${file}-wal`),
    }
  }

  try {
    const context = { caller, expected, random: createRandom(seed), origin: receivers.origin, url }
    const load = makePayments({ ...context, isOver, closesEverything: true, pace }).finally(() => {
      isDone = true
    })
    await Promise.all([load, observeRepeatedly(), sampleRepeatedly()])
    await withTimeout(sandbox.end('SIGTERM'), TIMEOUT_MS, 'The sandbox does not stop.').catch(abort)
    return {
      seed,
      minutes,
      unanswered,
      problems: [...expected.problems, ...sandbox.errors.map((line) => `stderr: ${line}`)],
      samples,
      verdicts: judgeSamples(samples, KEEP),
      keep: KEEP,
    }
  } finally {
    await handle.close()
    await caller.close()
    idleProcess.kill()
    await sandbox.end('SIGKILL')
    await receivers.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<Pick<Sample, 'rss' | 'heap' | 'handles' | 'delayMs' | 'longestMs'>>}
 */
const requestSample = (child) =>
  new Promise((resolve) => {
    child.once('message', (sample) => resolve(/** @type {any} */ (sample)))
    // An error here means that the process has exited, which is noticed elsewhere.
    child.send('sample', () => {})
  })

/**
 * Returns 0 if the operating system does not have /proc.
 *
 * @param {number | undefined} pid
 */
function countFileDescriptors(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** @param {string} path */
function fileSize(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
