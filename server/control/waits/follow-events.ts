import type { StreamHello } from '../../contract/schemas/stream.ts'
import { type RecordedEvent, startsEpoch } from '../../domain/events/event.ts'
import type { Store } from '../../store/store.ts'
import { createSignal } from '../../store/journal/signal.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import { setTimeout as wait } from 'node:timers/promises'

interface Follower {
  /** Called at the start, and again when a reset has begun a new journal. */
  hello(hello: StreamHello): Promise<void>
  /** Resolves when the events have left, so that a slow reader is not buried. */
  events(batch: readonly RecordedEvent[]): Promise<void>
}

interface From {
  readonly after: number
  /** The journal that `after` belongs to. Another one is sent from its beginning. */
  readonly epoch: string | undefined
}

const PAGE = 500

const MAX_WAITING = 2_000

/** What happens meanwhile goes together: too short to see, and a frame for each costs as much as a call. */
const TOGETHER_MS = 20

/**
 * Sends every event after `seq`: first the recorded ones, then each new one as it happens.
 *
 * Listening starts before history is read, so nothing falls into the gap; what arrives twice is recognised
 * by its `seq` and sent once. A reader that falls too far behind is sent the journal again from where it is.
 */
export async function follow(
  store: Store,
  from: From,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const bell = createSignal()
  let live: RecordedEvent[] = []
  let overflowed = false
  let wasReset = false
  const unsubscribe = store.feed.subscribe((batch) => {
    wasReset ||= batch.some(startsEpoch)
    if (live.length + batch.length > MAX_WAITING) overflowed = true
    else live.push(...batch)
    bell.notify()
  })
  signal.addEventListener('abort', bell.notify)

  let last = 0
  async function greet(resume: boolean): Promise<void> {
    const current = await epoch.current(store.db)
    const range = await events.range(store.db)
    const isSame = from.epoch === undefined || from.epoch === current
    last = resume && isSame ? Math.min(from.after, range.head) : 0
    await follower.hello({ epoch: current ?? '', ...range })
  }

  async function send(batch: readonly RecordedEvent[]): Promise<void> {
    const fresh = batch.filter(({ seq }) => seq > last)
    if (fresh.length === 0) return
    last = fresh.at(-1)!.seq
    await follower.events(fresh)
  }

  async function sendHistory(): Promise<void> {
    while (!signal.aborted && !wasReset) {
      const page = await events.list(store.db, { after: last }, PAGE)
      await send(page)
      if (page.length < PAGE) return
    }
  }

  try {
    await greet(true)
    await sendHistory()
    while (!signal.aborted) {
      if (wasReset) {
        wasReset = false
        await greet(false)
        // What waits may still be of the old journal, so the new one is read from its beginning.
        overflowed = true
      }
      if (overflowed) {
        overflowed = false
        live = []
        await sendHistory()
        continue
      }
      const batch = live
      live = []
      await send(batch)
      if (signal.aborted) break
      if (batch.length > 0) await wait(TOGETHER_MS, undefined, { ref: false })
      if (live.length === 0 && !overflowed && !wasReset && !signal.aborted) await bell.wait()
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', bell.notify)
  }
}
