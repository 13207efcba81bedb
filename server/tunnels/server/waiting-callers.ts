import type { Headers } from '../../domain/http/exchange.ts'
import { requestId, type Connection } from './connection.ts'

/** What a caller of a tunnel is answered. */
export type CallerOutcome =
  | {
      readonly by: 'listener'
      readonly status: number
      readonly headers: Headers
      readonly bytes: Uint8Array
    }
  /** Nobody listens any more: as if nobody had when it came. */
  | { readonly by: 'sandbox' }
  | { readonly by: 'failure'; readonly why: string }
  /** It was forgotten before a listener had it. */
  | { readonly by: 'forgotten' }
  | { readonly by: 'nobody'; readonly who: readonly Connection[] }

interface WaitingCaller {
  readonly deadline: number
  /** Who has the request and may still answer. */
  readonly connections: Set<Connection>
  readonly errors: string[]
  isDiscarded: boolean
  resolve(outcome: CallerOutcome): void
}

/** Those who wait for the answer of a listener. The first answer counts, a failure only where all others fail too. */
export function createWaitingCallers(timeoutMs: number) {
  const callers = new Map<string, WaitingCaller>()

  /** Ends the wait where nobody is left who could answer. */
  function settleIfAlone(caller: WaitingCaller): void {
    if (caller.connections.size > 0) return
    const why = caller.errors.at(-1)
    if (why !== undefined) caller.resolve({ by: 'failure', why })
    else caller.resolve({ by: caller.isDiscarded ? 'forgotten' : 'sandbox' })
  }

  return {
    /** Waits for the first answer of some listeners, bounded. */
    wait(epoch: string, seq: number, asked: readonly Connection[]): Promise<CallerOutcome> {
      const id = requestId(epoch, seq)
      return new Promise((resolve) => {
        const holders = new Set(asked)
        const late = setTimeout(() => settle({ by: 'nobody', who: [...holders] }), timeoutMs).unref()
        const settle = (outcome: CallerOutcome): void => {
          clearTimeout(late)
          callers.delete(id)
          resolve(outcome)
        }
        const until = performance.now() + timeoutMs
        callers.set(id, {
          deadline: until,
          connections: holders,
          errors: [],
          isDiscarded: false,
          resolve: settle,
        })
      })
    },
    /** A request leaves for a listener. Gives how long it is waited for, in milliseconds. */
    leaving(id: string, connection: Connection): number {
      const caller = callers.get(id)
      caller?.connections.add(connection)
      return caller ? Math.max(1, Math.round(caller.deadline - performance.now())) : 0
    },
    /** A listener answered. Gives whether that was what somebody waited for. */
    answered(id: string, outcome: CallerOutcome & { readonly by: 'listener' }): boolean {
      const caller = callers.get(id)
      caller?.resolve(outcome)
      return caller !== undefined
    },
    /** A listener could not post it. */
    failed(id: string, connection: Connection, why: string): void {
      const caller = callers.get(id)
      if (!caller) return
      caller.errors.push(why)
      caller.connections.delete(connection)
      settleIfAlone(caller)
    },
    /** Requests were forgotten: only those who have one already may still answer it. */
    forgotten(isKept: (id: string) => boolean): void {
      for (const [id, caller] of callers) {
        if (isKept(id)) continue
        caller.isDiscarded = true
        for (const one of caller.connections) if (!one.has(id)) caller.connections.delete(one)
        settleIfAlone(caller)
      }
    },
    /** A listener is gone, and answers nothing any more. */
    lost(connection: Connection): void {
      for (const caller of callers.values()) {
        if (caller.connections.delete(connection)) settleIfAlone(caller)
      }
    },
  }
}
