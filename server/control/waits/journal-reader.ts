import { clearsAccount, startsEpoch, type RecordedEvent } from '../../domain/events/event.ts'
import { createTurns } from '../../platform/system/turns.ts'
import * as events from '../../store/journal/events.ts'
import type { Store } from '../../store/store.ts'

type Selection = Omit<events.EventQuery, 'after' | 'before'> & { readonly after: number }

interface Page {
  readonly events: readonly RecordedEvent[]
  /** Whether this page reaches the end of the journal. */
  readonly isLast: boolean
  /** Grows with each reset and restore. Pages that were read before are then invalid. */
  readonly restarts: number
}

const PAGE = 200
/** The maximum number of events that are read for one page. Small, so that the caller can stop between pages. */
const LOOKED_PER_PAGE = 5_000

/**
 * Reads the journal, or the part of one account, page by page, and continues as the journal grows. After a reset or a restore,
 * it begins again in the new epoch. The caller must call `stop`.
 */
export function createJournalReader(store: Store, { after, ...filter }: Selection) {
  const account = filter.accountId
  let last = after
  let restarts = 0
  /** The `seq` of the newest event that was published, or that existed when the first page was read. */
  let published = 0
  let isStarted = false
  const letOthersRun = createTurns()
  const unsubscribe = store.eventBus.subscribe((recorded) => {
    published = recorded.at(-1)?.seq ?? published
    const first = recorded.findLast(
      (event) => startsEpoch(event) || (event.accountId === account && clearsAccount(event)),
    )
    if (first === undefined) return
    restarts++
    // A restored journal begins with this event. If the caller passed `after`, only newer events count.
    if (startsEpoch(first)) {
      last = after === 0 ? 0 : first.seq - 1
      isStarted = false
    }
    // Reading also begins again after a reset of the account, because later events may have been read before the reset was
    // published.
    else last = Math.max(after, first.seq - 1)
  })

  return {
    restarts: (): number => restarts,
    /** The journal has been read up to this `seq`. */
    last: (): number => last,
    async nextPage(): Promise<Page> {
      for (;;) {
        await letOthersRun()
        const before = restarts
        if (!isStarted) {
          const { oldest, head } = await events.range(store.db)
          if (before !== restarts) continue
          published = Math.max(published, head)
          last = Math.max(last, oldest - 1)
          isStarted = true
        }
        const head = published
        const end = events.isIndexed(filter) ? head : Math.min(head, last + LOOKED_PER_PAGE)
        const page = await events.list(store.db, { ...filter, after: last, before: end + 1 }, PAGE)
        if (before !== restarts) continue
        // Events that do not match need not be read again. If a page is short, all events up to `end` were read.
        const isShort = page.length < PAGE
        last = Math.max(page.at(-1)?.seq ?? last, isShort ? end : last)
        return { events: page, isLast: isShort && end === head, restarts }
      }
    },
    stop: unsubscribe,
  }
}
