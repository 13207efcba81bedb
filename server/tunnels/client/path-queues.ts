import { frame, type ToListener } from '../protocol.ts'
import { LocalFailure, postLocal } from './post-local.ts'
import type { Target } from './watch-target.ts'

type Forwarded = Extract<ToListener, { readonly type: 'request' }>

/** What became of a request, for people. */
export interface Posted extends Pick<Forwarded, 'seq' | 'method' | 'path' | 'possibleDuplicate'> {
  /** `null` where no answer came. */
  readonly status: number | null
  readonly error: string | null
  /** Whether the app may have got it. What it did not get does not come again. */
  readonly wasPosted: boolean
  readonly ms: number
}

const MAX_REMEMBERED = 128

/**
 * Posts what comes to the local address: requests of one path one after another, others at once. What was posted is
 * remembered, so that one that comes again because its answer got lost on the way is answered and not posted again.
 */
export function createLanes(to: string, target: Target, posted: (one: Posted) => void) {
  const lanes = new Map<string, Promise<void>>()
  const outcomes = new Map<string, Uint8Array>()

  function take(
    request: Forwarded,
    bytes: Uint8Array,
    send: (outcome: Uint8Array) => void,
    gone: AbortSignal,
  ): void {
    const until = performance.now() + request.awaitedMs
    const path = request.path.split('?', 1)[0]!
    const done = (lanes.get(path) ?? Promise.resolve()).then(async () => {
      const outcome = outcomes.get(request.id) ?? (await outcomeOf(request, bytes, until, gone))
      if (outcome === undefined) return
      remember(request.id, outcome)
      if (!gone.aborted) send(outcome)
    })
    lanes.set(path, done)
    void done.then(() => lanes.get(path) === done && lanes.delete(path))
  }

  function remember(id: string, outcome: Uint8Array): void {
    outcomes.delete(id)
    outcomes.set(id, outcome)
    const [oldest] = outcomes.keys()
    if (outcomes.size > MAX_REMEMBERED) outcomes.delete(oldest!)
  }

  /** `undefined` where the connection ended before it was posted: it comes again by the next. */
  async function outcomeOf(
    request: Forwarded,
    bytes: Uint8Array,
    until: number,
    gone: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const { id, seq, method, path, possibleDuplicate } = request
    while (!gone.aborted) {
      const started = performance.now()
      const told = (status: number | null, error: string | null, wasPosted = true): void => {
        const ms = Math.round(performance.now() - started)
        posted({ seq, method, path, possibleDuplicate, status, error, wasPosted, ms })
      }
      try {
        const { status, headers, bytes: body } = await postLocal(to, request, bytes)
        target.up()
        told(status, null)
        return frame({ type: 'answer', id, status, headers }, body)
      } catch (error) {
        const isDown = error instanceof LocalFailure && !error.wasPosted
        const why = error instanceof Error ? error.message : String(error)
        if (isDown) target.down(why)
        // Whoever waits is told at once. Nobody else would send it again.
        if (!isDown || performance.now() < until) {
          told(null, why, !isDown)
          return frame({ type: 'failed', id, error: why })
        }
        await Promise.race([target.untilUp(), aborted(gone)])
      }
    }
    return undefined
  }

  return {
    take,
    /** Resolves once nothing is being posted. */
    idle: async (): Promise<void> => void (await Promise.all(lanes.values())),
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
