import { encodeFrame, type ListenerMessage } from '../protocol.ts'
import { LocalPostError, postLocal } from './post-local.ts'
import type { TargetWatcher } from './watch-target.ts'

type TunnelRequest = Extract<ListenerMessage, { readonly type: 'request' }>

/** What became of a request, for people. */
export interface ForwardResult extends Pick<TunnelRequest, 'seq' | 'method' | 'path' | 'possibleDuplicate'> {
  /** `null` where no answer came. */
  readonly status: number | null
  readonly error: string | null
  /** Whether the app may have got it. What it did not get does not come again. */
  readonly wasPosted: boolean
  readonly ms: number
}

const MAX_REMEMBERED_ANSWERS = 128

/**
 * Posts what comes to the local address: requests of one path one after another, others at once. What was posted is
 * remembered, so that one that comes again because its answer got lost on the way is answered and not posted again.
 */
export function createPathQueues(
  to: string,
  target: TargetWatcher,
  onForwarded: (one: ForwardResult) => void,
) {
  const queues = new Map<string, Promise<void>>()
  const answers = new Map<string, Uint8Array>()

  function enqueue(
    request: TunnelRequest,
    bytes: Uint8Array,
    send: (outcome: Uint8Array) => void,
    closed: AbortSignal,
  ): void {
    const deadline = performance.now() + request.awaitedMs
    const path = request.path.split('?', 1)[0]!
    const done = (queues.get(path) ?? Promise.resolve()).then(async () => {
      const outcome = answers.get(request.id) ?? (await forward(request, bytes, deadline, closed))
      if (outcome === undefined) return
      remember(request.id, outcome)
      if (!closed.aborted) send(outcome)
    })
    queues.set(path, done)
    void done.then(() => queues.get(path) === done && queues.delete(path))
  }

  function remember(id: string, outcome: Uint8Array): void {
    answers.delete(id)
    answers.set(id, outcome)
    const [oldest] = answers.keys()
    if (answers.size > MAX_REMEMBERED_ANSWERS) answers.delete(oldest!)
  }

  /** `undefined` where the connection ended before it was posted: it comes again by the next. */
  async function forward(
    request: TunnelRequest,
    bytes: Uint8Array,
    deadline: number,
    closed: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const { id, seq, method, path, possibleDuplicate } = request
    while (!closed.aborted) {
      const started = performance.now()
      const report = (status: number | null, error: string | null, wasPosted = true): void => {
        const ms = Math.round(performance.now() - started)
        onForwarded({ seq, method, path, possibleDuplicate, status, error, wasPosted, ms })
      }
      try {
        const { status, headers, bytes: body } = await postLocal(to, request, bytes)
        target.up()
        report(status, null)
        return encodeFrame({ type: 'answer', id, status, headers }, body)
      } catch (error) {
        const isDown = error instanceof LocalPostError && !error.wasPosted
        const why = error instanceof Error ? error.message : String(error)
        if (isDown) target.down(why)
        // Whoever waits is told at once. Nobody else would send it again.
        if (!isDown || performance.now() < deadline) {
          report(null, why, !isDown)
          return encodeFrame({ type: 'failed', id, error: why })
        }
        await Promise.race([target.untilUp(), aborted(closed)])
      }
    }
    return undefined
  }

  return {
    take: enqueue,
    /** Resolves once nothing is being posted. */
    idle: async (): Promise<void> => void (await Promise.all(queues.values())),
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
