import { startsEpoch, type RecordedEvent } from '../../domain/events/event.ts'

/** Returns a filter for events that can change what an account is waiting for. Without an id, it is any account. */
export const concernsAccount =
  (accountId: string | undefined) =>
  (event: RecordedEvent): boolean =>
    accountId === undefined ||
    event.accountId === accountId ||
    startsEpoch(event) ||
    // After the clock is set, other deliveries may be due.
    event.type === 'clock.changed'
