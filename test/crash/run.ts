import { connectSandbox } from '../../server/package/index.ts'
import { createCaller, type Caller } from './caller.ts'
import { createExpectedState, linksOf } from './expected-state.ts'
import { findProblems } from './find-problems.ts'
import { makePayments, type Load } from './load.ts'
import { createRandom } from './random.ts'
import { readState } from './read-state.ts'
import { startReceivers } from './receivers.ts'
import { followStreams } from './streams.ts'

/** Small enough that retention removes events during a run. */
const KEEP = 4_000
/** How a sandbox is started. The run adds the database and the port. */
export const ARGUMENTS = ['--keep', String(KEEP), '--quiet', '--behavior', 'retries=1s,1s']

/** Repeats the kinds until there are `count` of them, each with its number. */
export const repeat = <Kind>(kinds: readonly Kind[], count: number): (readonly [number, Kind])[] =>
  Array.from({ length: count }, (_none, index) => [index + 1, kinds[index % kinds.length]!])

const MAX_ANSWERS_BEFORE = 150
const ANSWERS_AFTERWARDS = 50

/** A sandbox, or a group of replicas, that is killed or restarted. */
interface Victim {
  /** The address for callers. It stays the same. */
  readonly url: string
  /** The addresses of the streams that are followed. */
  readonly streams: readonly string[]
  /** Whether the sandbox can refuse webhooks for its own tunnels, and send them again later. */
  readonly refusesWebhooks: boolean
  /** Resolves once a sandbox listens at an address. */
  readonly up: (url: string) => Promise<unknown>
  /** Removes and returns the lines that were written to stderr. */
  readonly takeErrors: () => readonly string[]
}

/** Sends payments to a sandbox while it is killed or restarted, and compares its state with its answers. */
export async function startCrashRun(victim: Victim, seed: number) {
  const { url, up } = victim
  const expected = createExpectedState()
  const { problems } = expected
  // The load draws random numbers in the sequence of the answers. The plan has its own generator, so that the same seed gives
  // the same plan.
  const [plan, random] = [createRandom(seed), createRandom(seed + 1)]
  const receivers = await startReceivers()
  const handle = await connectSandbox(url)
  await handle.tunnels.listen({ tunnel: 'crash', forwardTo: `${receivers.origin}/tunnel` })
  const streams = followStreams(victim.streams, up, problems)

  /** Sends load before, during and after an event such as a kill. */
  async function loadThrough(happen: () => Promise<unknown>): Promise<void> {
    let remaining = 1 + plan.below(MAX_ANSWERS_BEFORE)
    let isOver = false
    let happening: Promise<unknown> | undefined
    let hasHappened = false
    await using caller = createCaller({
      url,
      up,
      problems,
      onAnswer(isAnswered) {
        expected[isAnswered ? 'answers' : 'unanswered']++
        if (!isAnswered || --remaining > 0) return
        if (hasHappened) isOver = true
        happening ??= happen()
          .catch((error: unknown) => problems.push(String(error)))
          .then(() => {
            remaining = ANSWERS_AFTERWARDS
            hasHappened = true
          })
      },
    })
    const load: Load = { caller, expected, random, origin: receivers.origin, url, isOver: () => isOver }
    await makePayments(load)
    await happening
  }

  async function compare(caller: Caller, isSettled: boolean): Promise<string[]> {
    // No webhook may be sent between the snapshot and the count at the receivers.
    await caller.control('PUT', '/clock', { mode: 'frozen' })
    await caller.control('POST', '/settle', { timeoutMs: 60_000 })
    const newest = await caller.control('GET', '/events?limit=1')
    // The snapshot does not contain the event about the snapshot.
    const streamed = await streams.takeUpTo(newest!.body.events[0].seq)
    const stored = await readState(caller, url)
    problems.push(...victim.takeErrors().map((line) => `stderr: ${line}`))
    const { origin, arrivals } = receivers
    const { refusesWebhooks } = victim
    const compared = {
      expected,
      stored,
      streamed,
      arrivals,
      origin,
      url,
      keep: KEEP,
      isSettled,
      refusesWebhooks,
    }
    const found = [...problems.splice(0), ...findProblems(compared)]
    await caller.control('PUT', '/clock', { mode: 'running' })
    return found
  }

  return {
    plan,
    summary: () =>
      `${expected.answers} answers, ${expected.unanswered} unanswered, ${linksOf(expected).length} links`,
    /** Returns the problems after something happened to the sandbox under load. */
    async problemsAfter(happen: () => Promise<unknown>): Promise<string[]> {
      await loadThrough(happen)
      await using caller = createCaller({ url, up, problems })
      return await compare(caller, false)
    },
    /** Returns the problems after every webhook has been delivered or has failed. */
    async problemsAtEnd(): Promise<string[]> {
      await using caller = createCaller({ url, up, problems })
      await settle(caller)
      return await compare(caller, true)
    },
    async [Symbol.asyncDispose](): Promise<void> {
      streams.close()
      await handle.close()
      await receivers[Symbol.asyncDispose]()
    },
  }
}

/** Waits until every webhook is delivered or has failed, and the listener has received everything. */
export async function settle(caller: Caller): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    await caller.control('POST', '/settle', { timeoutMs: 30_000 })
    // The next retry is due before this time.
    await caller.control('POST', '/clock/advance', { hours: 1 })
  }
  await caller.control('POST', '/settle', { timeoutMs: 30_000 })
  for (;;) {
    const answer = await caller.control('GET', '/tunnels')
    const tunnels = answer!.body.tunnels as { listeners: { waiting: number }[] }[]
    if (tunnels.flatMap(({ listeners }) => listeners).every(({ waiting }) => waiting === 0)) return
  }
}
