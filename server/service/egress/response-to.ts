import type { ClientRequest, IncomingMessage } from 'node:http'

/** A time limit that also ends when a signal is aborted. */
export interface Deadline {
  /** Why the limit has ended: a `TimeoutError`, or the reason of the signal. `undefined` if it has not ended yet. */
  readonly over: { readonly reason: unknown } | undefined
  /** Calls `end` when the limit ends, or at once if it has ended. A second `end` replaces the first. */
  onEnd(end: (reason: unknown) => void): void
  /** Stops the timer and removes the listener from the signal. */
  clear(): void
}

/**
 * Starts a time limit. It is not an AbortSignal, because creating one for every webhook would take a tenth of a webhook's
 * processor time. Unlike `AbortSignal.any`, this leaves no listener on the signal.
 */
export function createDeadline(timeoutMs: number, signal: AbortSignal): Deadline {
  let over: Deadline['over']
  let notify: ((reason: unknown) => void) | undefined
  const end = (reason: unknown): void => {
    over ??= { reason }
    notify?.(over.reason)
  }
  const abort = (): void => end(signal.reason)
  const timer = setTimeout(() => end(new DOMException('', 'TimeoutError')), timeoutMs)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return {
    get over() {
      return over
    },
    onEnd(listener) {
      notify = listener
      if (over) listener(over.reason)
    },
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

/** Resolves with the beginning of the response. Rejects and ends the request after an error, or at the deadline. */
export function responseTo(outgoing: ClientRequest, deadline: Deadline): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let hasBegun = false
    deadline.onEnd((reason) => {
      reject(reason)
      outgoing.destroy()
    })
    outgoing.once('response', (incoming) => {
      hasBegun = true
      resolve(incoming)
    })
    // Not `once`, because the connection can also fail after the response has begun, and an error without a listener would end
    // the process.
    outgoing.on('error', reject)
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('it answered 101, to switch to a protocol other than HTTP'))
    })
    outgoing.once('close', () => {
      // Creates the error only if it is needed, because creating it is slow.
      if (!hasBegun) reject(new Error('connection closed before an answer came'))
    })
  })
}
