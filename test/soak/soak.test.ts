import fc from 'fast-check'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { connectSandbox } from '../../server/package/index.ts'
import { createCaller } from '../crash/caller.ts'
import { createExpectedState } from '../crash/expected-state.ts'
import { makePayments, openStreamAndWaits } from '../crash/load.ts'
import { createRandom } from '../crash/random.ts'
import { startReceivers } from '../crash/receivers.ts'
import { createCondition } from '../support/condition.ts'
import { freePort } from '../support/free-port.ts'
import { spawnSandbox } from '../support/process.ts'
import { sizeFrom } from '../support/size.ts'
import { test } from '../support/test.ts'

const MINUTES = sizeFrom('SOAK_MINUTES', 30)
/** Small enough that the journal is full within the first minutes. */
const KEEP = 5_000
const PAYMENTS_A_SECOND = 12
const OBSERVE_EVERY_MS = 300
const SAMPLE_EVERY_MS = Math.max(1_000, (MINUTES * 60_000) / 200)
const MIB = 1024 * 1024

/** The measurements. `probe.js` in each process answers with them. */
interface Probed {
  readonly rss: number
  /** Measured after a garbage collection. */
  readonly heap: number
  readonly handles: number
  /** The median delay of the event loop. */
  readonly delayMs: number
  readonly longestMs: number
}

interface Sample extends Probed {
  /** In seconds since the start. */
  readonly at: number
  readonly files: number
  readonly events: number
  readonly links: number
  /** The sizes of the database file and its write-ahead log. */
  readonly file: number
  readonly wal: number
}

/** How much each figure may grow in the second half, when the caches are full. */
const GROWTH_LIMITS = {
  rss: 16 * MIB,
  heap: 4 * MIB,
  handles: 10,
  files: 10,
  delayMs: 20,
  longestMs: 250,
  events: 200,
  wal: 16 * MIB,
} satisfies Partial<Record<keyof Sample, number>>

/** The limit for nine of ten samples. The machine may delay one of ten. */
const MAX_BLOCKED_MS = 400
/** The database file may grow only by links and their deliveries, which are never deleted. */
const MAX_BYTES_PER_LINK = 6 * 1024

test('a sandbox under steady load does not grow, and answers everything', async ({ folder }) => {
  const seed = fc.readConfigureGlobal()!.seed!
  const file = join(folder.path, 'sandbox.db')
  const [port, idlePort] = [await freePort(), await freePort()]
  const probe = { NODE_OPTIONS: `--import=${new URL('probe.js', import.meta.url).href}` }
  await using receivers = await startReceivers()
  const args = ['--port', '0', '--db', file, '--keep', String(KEEP), '--quiet', '--behavior', 'retries=1s,1s']
  const env = { ...probe, PROBE_PORT: String(port) }
  await using sandbox = await spawnSandbox(args, { cwd: folder.path, env })
  // The delays of a process that does nothing show how busy the machine is.
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], {
    env: { ...process.env, ...probe, PROBE_PORT: String(idlePort) },
  })
  const { url } = sandbox
  await using handle = await connectSandbox(url)
  await handle.tunnels.listen({ tunnel: 'crash', forwardTo: `${receivers.origin}/tunnel` })
  const expected = createExpectedState()
  const { problems } = expected
  const onAnswer = (isAnswered: boolean) => void (isAnswered || problems.push('A call got no answer.'))
  await using caller = createCaller({ url, up: async () => {}, onAnswer, problems })

  const began = performance.now()
  const elapsedMs = () => performance.now() - began
  const isOver = () => sandbox.hasEnded() || elapsedMs() > MINUTES * 60_000

  /** Yields until the time is over. */
  async function* ticks(everyMs: number): AsyncGenerator<void> {
    const timer = new EventEmitter()
    const interval = setInterval(() => timer.emit('tick'), everyMs)
    try {
      for (; !isOver(); yield) await once(timer, 'tick')
    } finally {
      clearInterval(interval)
    }
  }

  const { notify, until } = createCondition()
  async function keepTime(): Promise<void> {
    for await (const _tick of ticks(20)) notify()
    notify()
  }
  let payments = 0
  const pace = () => {
    const due = (payments++ / PAYMENTS_A_SECOND) * 1_000
    return until(() => elapsedMs() >= due || isOver())
  }

  /** Opens streams and waits, as inspectors and tests do. */
  async function observe(): Promise<void> {
    for await (const _tick of ticks(OBSERVE_EVERY_MS)) await openStreamAndWaits({ caller, url })
  }

  const samples: Sample[] = []
  async function takeSamples(): Promise<void> {
    for await (const _tick of ticks(SAMPLE_EVERY_MS)) {
      const [inside, outside, info] = await Promise.all([
        probed(port),
        probed(idlePort),
        caller.control('GET', '/info'),
      ])
      const { events, links } = info!.body.counts as { events: number; links: number }
      samples.push({
        ...inside,
        longestMs: Math.max(0, inside.longestMs - outside.longestMs),
        at: elapsedMs() / 1_000,
        files: countFiles(sandbox.pid),
        events,
        links,
        file: statSync(file).size,
        wal: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      })
    }
  }

  const load = { caller, expected, random: createRandom(seed), origin: receivers.origin, url, isOver, pace }
  try {
    await Promise.all([
      makePayments({ ...load, closesEverything: true }),
      keepTime(),
      observe(),
      takeSamples(),
    ])
  } finally {
    idle.kill()
  }
  const figures = compareWithLimits(samples)
  process.stdout.write(`Seed ${seed}, ${samples.length} samples, ${samples.at(-1)?.links} links.\n`)
  for (const { what, value, limit } of figures)
    process.stdout.write(`${what.padEnd(24)} ${value.toFixed(1).padStart(14)}, limit ${limit}\n`)
  expect(figures.filter(({ value, limit }) => value > limit)).toEqual([])
  expect(problems).toEqual([])
  expect([await sandbox.end('SIGTERM'), sandbox.errors]).toEqual([0, []])
})

const probed = async (port: number): Promise<Probed> =>
  (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Probed

/** How many files a process has open. 0 if the operating system does not have /proc. */
const countFiles = (pid: number): number =>
  existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : 0

/** Compares the second half of the run with the limits. Before that, the journal and the database file still grow. */
function compareWithLimits(samples: readonly Sample[]): { what: string; value: number; limit: number }[] {
  const half = samples.slice(Math.floor(samples.length / 2))
  const isFull = (half[0]?.events ?? 0) >= KEEP
  const blocked = half.map(({ longestMs }) => longestMs).toSorted((one, other) => one - other)
  const grown = Object.entries(GROWTH_LIMITS).map(([key, limit]) => ({
    what: key,
    value: growth(half, key as keyof Sample),
    limit,
  }))
  return [
    ...grown.filter(({ what }) => isFull || what !== 'events'),
    {
      what: 'blocked at once, in ms',
      value: blocked[Math.floor(half.length * 0.9)] ?? 0,
      limit: MAX_BLOCKED_MS,
    },
    ...(isFull
      ? [
          {
            what: 'bytes per link',
            value: growth(half, 'file') / Math.max(growth(half, 'links'), 1),
            limit: MAX_BYTES_PER_LINK,
          },
        ]
      : []),
  ]
}

/** Returns how much the regression line (least squares) rises from the first sample to the last. */
function growth(samples: readonly Sample[], key: keyof Sample): number {
  const mean = (of: keyof Sample) => samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length
  const [meanAt, meanValue] = [mean('at'), mean(key)]
  const covariance = samples.reduce((sum, one) => sum + (one.at - meanAt) * (one[key] - meanValue), 0)
  const variance = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  return variance === 0 ? 0 : (covariance / variance) * (samples.at(-1)!.at - samples[0]!.at)
}
