import type { AccountView, EventView } from '../../server/contract/views.ts'
import type { Exchange } from '../../server/domain/http/exchange.ts'
import type { ClockMode } from '../../server/domain/time/clock.ts'

export interface EventWithExchange {
  readonly event: EventView
  /** `null` if the sandbox saw no HTTP exchange. */
  readonly exchange: Exchange | null
}

/** Loads data that the journal does not contain. */
export interface DataSource {
  clock(): Promise<{ readonly now: string; readonly mode: ClockMode; readonly offsetMs: number }>
  accounts(): Promise<readonly AccountView[]>
  /** `undefined` if the journal does not have the event. */
  event(seq: number, signal: AbortSignal): Promise<EventWithExchange | undefined>
}
