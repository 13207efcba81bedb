import type { Headers } from '../../domain/http/exchange.ts'
import { requestId, type ListenerConnection } from './connection.ts'

/** How the request of a tunnel's caller ends. */
export type CallerOutcome =
  | {
      readonly by: 'listener'
      readonly status: number
      readonly headers: Headers
      readonly bytes: Uint8Array
    }
  /** Every listener has disconnected, so the tunnel responds as if there had been none. */
  | { readonly by: 'tunnel' }
  /** Every listener failed to forward the request. */
  | { readonly by: 'failure'; readonly error: string }
  /** The request was removed before a listener got it. */
  | { readonly by: 'removal' }
  /** No listener has responded in time. `connections` may still respond. */
  | { readonly by: 'timeout'; readonly connections: readonly ListenerConnection[] }

interface WaitingCaller {
  readonly deadline: number
  /** The connections that may still answer the request. */
  readonly connections: Set<ListenerConnection>
  readonly errors: string[]
  isRemoved: boolean
  resolve(outcome: CallerOutcome): void
}

/**
 * The callers that wait for the response of a listener. The first response is passed on. A failure is passed on only if all other
 * listeners also fail.
 */
export function createWaitingCallers(timeoutMs: number) {
  const callers = new Map<string, WaitingCaller>()

  function resolveIfAbandoned(caller: WaitingCaller): void {
    if (caller.connections.size > 0) return
    const error = caller.errors.at(-1)
    if (error !== undefined) caller.resolve({ by: 'failure', error })
    else caller.resolve({ by: caller.isRemoved ? 'removal' : 'tunnel' })
  }

  return {
    /** Waits for the first response of these listeners, but no longer than the timeout. */
    wait(epoch: string, seq: number, listeners: readonly ListenerConnection[]): Promise<CallerOutcome> {
      const id = requestId(epoch, seq)
      return new Promise((done) => {
        const connections = new Set(listeners)
        const resolve = (outcome: CallerOutcome): void => {
          clearTimeout(timer)
          // If the unit of work ran twice, the caller of the first run is obsolete, and a newer caller may have its id.
          if (callers.get(id) === caller) callers.delete(id)
          done(outcome)
        }
        const timer = setTimeout(
          () => resolve({ by: 'timeout', connections: [...connections] }),
          timeoutMs,
        ).unref()
        const deadline = performance.now() + timeoutMs
        const caller: WaitingCaller = { deadline, connections, errors: [], isRemoved: false, resolve }
        callers.set(id, caller)
      })
    },
    /**
     * Records that a request is being sent to a listener. Returns how long its caller will still wait in milliseconds, or 0 if no
     * caller is waiting.
     */
    onSend(id: string, connection: ListenerConnection): number {
      const caller = callers.get(id)
      caller?.connections.add(connection)
      return caller ? Math.max(1, Math.round(caller.deadline - performance.now())) : 0
    },
    /** Passes on the response of a listener. Returns whether a caller was waiting for it. */
    onAnswer(id: string, outcome: CallerOutcome & { readonly by: 'listener' }): boolean {
      const caller = callers.get(id)
      caller?.resolve(outcome)
      return caller !== undefined
    },
    onFailure(id: string, connection: ListenerConnection, error: string): void {
      const caller = callers.get(id)
      if (!caller) return
      caller.errors.push(error)
      caller.connections.delete(connection)
      resolveIfAbandoned(caller)
    },
    /** Handles removed requests. A listener that already has such a request may still answer it. */
    onRemoval(isKept: (id: string) => boolean): void {
      for (const [id, caller] of callers) {
        if (isKept(id)) continue
        caller.isRemoved = true
        for (const one of caller.connections) if (!one.has(id)) caller.connections.delete(one)
        resolveIfAbandoned(caller)
      }
    },
    onDisconnect(connection: ListenerConnection): void {
      for (const caller of callers.values()) {
        if (caller.connections.delete(connection)) resolveIfAbandoned(caller)
      }
    },
  }
}

export type WaitingCallers = ReturnType<typeof createWaitingCallers>
