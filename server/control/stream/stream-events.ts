import type { StreamHello } from '../../contract/schemas/stream.ts'
import { type RecordedEvent, startsEpoch } from '../../domain/events/event.ts'
import type { Store } from '../../store/store.ts'
import { createSignal } from '../../store/journal/signal.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import { setTimeout as wait } from 'node:timers/promises'

export interface StreamReader {
  /** Called at the beginning, and after each reset or restore. */
  hello(hello: StreamHello): Promise<void>
  /** Resolves when the events are sent. The next batch waits for that, so that a slow reader is not flooded. */
  events(batch: readonly RecordedEvent[]): Promise<void>
}

interface StartingPoint {
  readonly after: number
  /** The epoch that `after` belongs to. If the epoch has changed, the journal is sent from its beginning. */
  readonly epoch: string | undefined
}

const PAGE = 500

/** How many events may wait in memory for a slow reader. If more arrive, the reader gets them from the database. */
const MAX_BUFFERED = 2_000

/** Events within this time are sent as one message, because sending a message costs as much as handling a call. */
const BATCH_MS = 20

/**
 * Sends every event after `from.after`: first the recorded ones, then each new one. Deleted events are not sent. Subscribes to
 * new events before it reads the journal, so that none is missed. An event that arrives both ways is sent once. A reader that is
 * too slow gets the rest from the database.
 */
export async function streamEvents(
  store: Store,
  from: StartingPoint,
  follower: StreamReader,
  signal: AbortSignal,
): Promise<void> {
  const changed = createSignal()
  let buffer: RecordedEvent[] = []
  let overflowed = false
  let wasReset = false
  const unsubscribe = store.eventBus.subscribe((batch) => {
    wasReset ||= batch.some(startsEpoch)
    if (buffer.length + batch.length > MAX_BUFFERED) overflowed = true
    else buffer.push(...batch)
    changed.notify()
  })
  signal.addEventListener('abort', changed.notify)

  let last = 0
  async function sendHello(resume: boolean): Promise<void> {
    const current = await epoch.current(store.db)
    const range = await events.range(store.db)
    // After a power failure, the database may have lost its newest events. Their numbers are then given to other events.
    const isSame = from.epoch === undefined || (from.epoch === current && from.after <= range.head)
    last = resume && isSame ? Math.min(from.after, range.head) : 0
    await follower.hello({ epoch: current ?? '', ...range })
  }

  async function send(batch: readonly RecordedEvent[]): Promise<void> {
    const newer = batch.filter(({ seq }) => seq > last)
    if (newer.length === 0) return
    last = newer.at(-1)!.seq
    await follower.events(newer)
  }

  async function sendHistory(): Promise<void> {
    while (!signal.aborted && !wasReset) {
      const page = await events.list(store.db, { after: last }, PAGE)
      await send(page)
      if (page.length < PAGE) return
    }
  }

  try {
    await sendHello(true)
    await sendHistory()
    while (!signal.aborted) {
      if (wasReset) {
        wasReset = false
        await sendHello(false)
        // The buffer may still contain events of the old journal, so the new journal is read from the database.
        overflowed = true
      }
      if (overflowed) {
        overflowed = false
        buffer = []
        await sendHistory()
        continue
      }
      const batch = buffer
      buffer = []
      await send(batch)
      if (signal.aborted) break
      if (batch.length > 0) await wait(BATCH_MS, undefined, { ref: false })
      if (buffer.length === 0 && !overflowed && !wasReset && !signal.aborted) await changed.wait()
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', changed.notify)
  }
}
