import { startsEpoch, type RecordedEvent } from '../../domain/events/event.ts'

/** Tells which events can change what one account, or without an id any account, is waiting for. */
export const concernsAccount =
  (accountId: string | undefined) =>
  (event: RecordedEvent): boolean =>
    accountId === undefined ||
    event.accountId === accountId ||
    startsEpoch(event) ||
    // After the clock is set, other deliveries may be due.
    event.type === 'clock.changed'
