import { encodeFrame, type ListenerMessage } from '../../platform/tunnel-protocol.ts'
import { LocalPostError, postLocal } from './post-local.ts'
import type { TargetWatcher } from './watch-target.ts'

type TunnelRequest = Extract<ListenerMessage, { readonly type: 'request' }>

/** The result of forwarding a request. */
export interface ForwardResult extends Pick<TunnelRequest, 'seq' | 'method' | 'path' | 'possibleDuplicate'> {
  /** `null` if there was no response. */
  readonly status: number | null
  readonly error: string | null
  /** Whether the app may have received the request. If not, the sandbox may send the request again. */
  readonly wasPosted: boolean
  readonly ms: number
}

const MAX_REMEMBERED_ANSWERS = 128

/**
 * Posts requests to the local address. Requests for the same path are posted one after another, requests for different paths at
 * the same time. Within a path, requests never overtake each other, and none is left out, so a request whose caller has gone
 * waits here until the app is up. Responses are kept: if the connection breaks before a response is sent, the sandbox sends the
 * request again, and gets the kept response without a second post.
 */
export function createPathQueues(
  to: string,
  target: TargetWatcher,
  onForwarded: (result: ForwardResult) => void,
) {
  const queues = new Map<string, Promise<void>>()
  const answers = new Map<string, Uint8Array>()

  /** Queues a request. `send` gets the response as a frame, unless the connection is `closed` by then. */
  function add(
    request: TunnelRequest,
    bytes: Uint8Array,
    send: (answer: Uint8Array) => void,
    closed: AbortSignal,
  ): void {
    const deadline = performance.now() + request.callerWaitsMs
    const path = request.path.split('?', 1)[0]!
    const done = (queues.get(path) ?? Promise.resolve()).then(async () => {
      const answer = answers.get(request.id) ?? (await forward(request, bytes, deadline, closed))
      if (answer === undefined) return
      remember(request.id, answer)
      if (!closed.aborted) send(answer)
    })
    queues.set(path, done)
    void done.then(() => queues.get(path) === done && queues.delete(path))
  }

  function remember(id: string, answer: Uint8Array): void {
    answers.delete(id)
    answers.set(id, answer)
    const [oldest] = answers.keys()
    if (answers.size > MAX_REMEMBERED_ANSWERS) answers.delete(oldest!)
  }

  /**
   * Posts a request, and returns the response as a frame. Returns `undefined` if the connection was closed before the post,
   * because the sandbox then sends the request again over the next connection.
   */
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
        target.setUp()
        report(status, null)
        return encodeFrame({ type: 'answer', id, status, headers }, body)
      } catch (error) {
        const isDown = error instanceof LocalPostError && !error.wasPosted
        const why = error instanceof Error ? error.message : String(error)
        if (isDown) target.setDown(why)
        // If the caller is still waiting, it gets the error at once. A request that may have reached the app is never repeated.
        if (!isDown || performance.now() < deadline) {
          report(null, why, !isDown)
          return encodeFrame({ type: 'failed', id, error: why })
        }
        await Promise.race([target.waitUntilUp(), aborted(closed)])
      }
    }
    return undefined
  }

  return {
    add,
    /** Resolves once no request is being posted. */
    idle: async (): Promise<void> => void (await Promise.all(queues.values())),
  }
}

export type PathQueues = ReturnType<typeof createPathQueues>

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
