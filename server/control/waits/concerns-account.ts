import { startsEpoch, type RecordedEvent } from '../../domain/events/event.ts'

/** A filter for events that can change what somebody waits for: for one account, or for all accounts without an id. */
export const concernsAccount =
  (accountId: string | undefined) =>
  (event: RecordedEvent): boolean =>
    accountId === undefined ||
    event.accountId === accountId ||
    startsEpoch(event) ||
    // If the clock has changed, other deliveries may be due.
    event.type === 'clock.changed'
