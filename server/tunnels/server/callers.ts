import type { Headers } from '../../domain/http/exchange.ts'
import { requestId, type Connection } from './connection.ts'

/** What a caller of a tunnel is answered. */
export type Outcome =
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

interface Caller {
  readonly until: number
  /** Who has the request and may still answer. */
  readonly holders: Set<Connection>
  readonly failures: string[]
  isForgotten: boolean
  settle(outcome: Outcome): void
}

/** Those who wait for the answer of a listener. The first answer counts, a failure only where all others fail too. */
export function createCallers(withinMs: number) {
  const callers = new Map<string, Caller>()

  /** Ends the wait where nobody is left who could answer. */
  function lookAt(caller: Caller): void {
    if (caller.holders.size > 0) return
    const why = caller.failures.at(-1)
    if (why !== undefined) caller.settle({ by: 'failure', why })
    else caller.settle({ by: caller.isForgotten ? 'forgotten' : 'sandbox' })
  }

  return {
    /** Waits for the first answer of some listeners, bounded. */
    wait(epoch: string, seq: number, asked: readonly Connection[]): Promise<Outcome> {
      const id = requestId(epoch, seq)
      return new Promise((resolve) => {
        const holders = new Set(asked)
        const late = setTimeout(() => settle({ by: 'nobody', who: [...holders] }), withinMs).unref()
        const settle = (outcome: Outcome): void => {
          clearTimeout(late)
          callers.delete(id)
          resolve(outcome)
        }
        const until = performance.now() + withinMs
        callers.set(id, { until, holders, failures: [], isForgotten: false, settle })
      })
    },
    /** A request leaves for a listener. Gives how long it is waited for, in milliseconds. */
    leaving(id: string, connection: Connection): number {
      const caller = callers.get(id)
      caller?.holders.add(connection)
      return caller ? Math.max(1, Math.round(caller.until - performance.now())) : 0
    },
    /** A listener answered. Gives whether that was what somebody waited for. */
    answered(id: string, outcome: Outcome & { readonly by: 'listener' }): boolean {
      const caller = callers.get(id)
      caller?.settle(outcome)
      return caller !== undefined
    },
    /** A listener could not post it. */
    failed(id: string, connection: Connection, why: string): void {
      const caller = callers.get(id)
      if (!caller) return
      caller.failures.push(why)
      caller.holders.delete(connection)
      lookAt(caller)
    },
    /** Requests were forgotten: only those who have one already may still answer it. */
    forgotten(isKept: (id: string) => boolean): void {
      for (const [id, caller] of callers) {
        if (isKept(id)) continue
        caller.isForgotten = true
        for (const one of caller.holders) if (!one.has(id)) caller.holders.delete(one)
        lookAt(caller)
      }
    },
    /** A listener is gone, and answers nothing any more. */
    lost(connection: Connection): void {
      for (const caller of callers.values()) {
        if (caller.holders.delete(connection)) lookAt(caller)
      }
    },
  }
}
