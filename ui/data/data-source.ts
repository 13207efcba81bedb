import type { AccountView, EventView } from '../../server/contract/views.ts'
import type { ReadonlySignal } from '@preact/signals'
import type { Exchange } from '../../server/domain/http/exchange.ts'
import type { ClockMode } from '../../server/domain/time/clock.ts'
import type { Log } from './log.ts'

/** `loggedOut` becomes `live` after a login. `report` never changes. */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'loggedOut' | 'report'

export interface Following {
  readonly connection: ReadonlySignal<ConnectionState>
  /** Adds the events that have arrived to the log. */
  readonly flush: () => void
}

export interface EventWithExchange {
  readonly event: EventView
  /** `null` if the event has no request and response. */
  readonly exchange: Exchange | null
}

/** Where the page gets its data from: a sandbox, or the file of a report. */
export interface DataSource {
  /** Fills the log with events, and keeps it up to date. */
  follow(log: Log): Following
  clock(): Promise<{ readonly now: string; readonly mode: ClockMode; readonly offsetMs: number }>
  accounts(): Promise<readonly AccountView[]>
  /** `undefined` if the journal does not have the event. */
  event(seq: number, signal: AbortSignal): Promise<EventWithExchange | undefined>
  /**
   * A test whether a text was found in the bodies of an event. A signal that reads this gets a new test with each page of
   * results.
   */
  bodyMatcher(): (seq: number, text: string) => boolean
}
