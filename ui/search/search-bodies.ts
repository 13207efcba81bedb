import { computed, effect } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { SandboxError } from '../../server/contract/sandbox-error.ts'
import type { AnswerOf } from '../../server/contract/typed-request.ts'
import type { ControlRoutes } from '../../server/control/control-api.ts'
import { request } from '../data/api.ts'
import { DEBOUNCE_MS } from '../data/resource.ts'
import { route } from '../browser/route.ts'
import { connection, log } from '../data/session.ts'
import { bodySearches, type BodySearch } from '../data/body-searches.ts'
import { bodyTexts } from './body-matches.ts'

/** A user with more matches needs a better search, and the page would need too much memory. */
const MAX_FOUND = 5_000
const PAGE = 1_000

/** Only these screens have a search. */
const query = computed(() =>
  route.value.screen === 'timeline' || route.value.screen === 'payments' ? route.value.query : '',
)

/** If this changes, all searches begin again: other texts, another journal, or a new connection. */
const basis = computed(() =>
  connection.value === 'live'
    ? JSON.stringify([log.journal.value.epochCount, ...bodyTexts(query.value)])
    : undefined,
)

effect(() => {
  if (basis.value === undefined) return undefined
  const [, ...texts] = JSON.parse(basis.value) as [number, ...string[]]
  const superseded = new AbortController()
  bodySearches.value = new Map(
    texts.map((text) => [text, { found: new Map(), from: 0, to: 0, state: 'running' }]),
  )
  for (const text of texts) void search(text, superseded.signal)
  return () => superseded.abort()
})

/** Searches all events, newest first, and then new ones as they arrive. */
async function search(text: string, signal: AbortSignal): Promise<void> {
  const eventsBySeq = new Map<number, EventView>()
  let from = 0
  let to = 0
  const publish = (state: BodySearch['state']) => {
    if (!signal.aborted)
      bodySearches.value = new Map(bodySearches.peek()).set(text, { found: eventsBySeq, from, to, state })
  }
  try {
    while (eventsBySeq.size < MAX_FOUND) {
      await pause(signal)
      const searchedTo = to
      let before: number | null = null
      do {
        const page: AnswerOf<ControlRoutes, 'GET /events/search'> = await request('GET /events/search', {
          query: { body: text, limit: PAGE, after: searchedTo, ...(before !== null && { before }) },
          signal,
        })
        for (const event of page.events) eventsBySeq.set(event.seq, event)
        if (before === null) to = Math.max(to, page.to)
        if (searchedTo === 0) from = page.from
        before = page.next
        if (searchedTo === 0 || page.events.length > 0) publish(before === null ? 'done' : 'running')
      } while (before !== null && eventsBySeq.size < MAX_FOUND)
      await newEvents(to, signal)
    }
    publish('full')
  } catch (error) {
    if (signal.aborted) return
    publish({ failed: error instanceof SandboxError ? error.detail : String(error) })
  }
}

/** Waits until the user has stopped typing, or until enough events have arrived. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, DEBOUNCE_MS))
  signal.throwIfAborted()
}

const newEvents = (after: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = effect(() => {
      if (log.journal.value.last > after) resolve()
    })
    signal.addEventListener('abort', () => {
      end()
      reject(signal.reason as Error)
    })
  })
