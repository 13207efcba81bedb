import type { AccountView, EventView } from '../server/contract/views.ts'
import type { ClockMode } from '../server/domain/time/clock.ts'
import type { Exchange } from '../server/domain/http/exchange.ts'

export interface EventWithExchange {
  readonly event: EventView
  /** `null` where nothing went over a wire that the sandbox could see. */
  readonly exchange: Exchange | null
  /** Whether it stays in the journal, however many follow. A report does not say. */
  readonly pinned?: boolean
}

/** Where the pages read what the journal itself does not hold. */
export interface DataSource {
  /** How the sandbox's clock is set. */
  clock(): Promise<{ readonly now: string; readonly mode: ClockMode; readonly offsetMs: number }>
  accounts(): Promise<readonly AccountView[]>
  /** `undefined` where the journal has no such event. */
  event(seq: number, signal: AbortSignal): Promise<EventWithExchange | undefined>
}
