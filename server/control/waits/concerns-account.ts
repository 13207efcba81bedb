import { startsEpoch, type RecordedEvent } from '../../domain/events/event.ts'

/** A filter for events that can change the result of a wait for one account. Without an id, the wait is for all accounts. */
export const concernsAccount =
  (accountId: string | undefined) =>
  (event: RecordedEvent): boolean =>
    accountId === undefined ||
    event.accountId === accountId ||
    startsEpoch(event) ||
    // If the clock has changed, other deliveries may be due.
    event.type === 'clock.changed'
