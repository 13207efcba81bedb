import { expect, test } from 'vitest'
import type { EventView, LinkView } from '../../server/contract/views.ts'
import { toEntry } from '../../ui/data/log.ts'
import { eventText } from '../../ui/components/event-text.ts'
import { NO_CONTEXT, parseFilter } from '../../ui/search/filter-terms.ts'
import { formatTook, formatTime } from '../../server/contract/format/values.ts'
import { attempted, call, delivery } from './event.ts'

const link = {
  payId: 1001,
  note: 'Café „Zur Post“, Order 12/b (2,5 kg) 🌷 #A1b2c3',
  amount: 1250.5,
} as LinkView

const events: readonly EventView[] = [
  call(),
  call({ ms: 0.4, code: 0, message: 'amount should be greater than zero', payId: null }),
  attempted({
    httpStatus: 500,
    ms: 1_200,
    responseText: "TypeError: Cannot read properties of undefined (reading 'id')",
  }),
  attempted({ httpStatus: 302, ms: 16, redirectedTo: 'https://shop.example:8443/login?next=%2F' }),
  attempted({
    httpStatus: null,
    error: 'connect ECONNREFUSED 127.0.0.1:3000',
    errorCode: 'connectionRefused',
  }),
  attempted({ httpStatus: 503, nextAttemptAt: '2026-11-21T03:18:15.240Z', state: 'pending' }),
  { ...delivery, type: 'delivery.held', host: 'shop.example.com', hostScope: 'public' } as EventView,
  {
    ...call(),
    type: 'link.paid',
    amount: 1250.5,
    method: 'card',
    entryPoint: 'control',
  } as unknown as EventView,
]

const context = { ...NO_CONTEXT, linkOf: () => link }
const isUtc = false

/** What the row of an event shows, in its columns. */
function cellsOf(event: EventView): readonly string[] {
  const entry = toEntry(event, { listenerAnswerOf: () => undefined, checkOf: () => undefined })
  const { lead, rest } = eventText(entry, event.payId === null ? undefined : link)
  const { row } = entry
  return [
    formatTime(event.at, isUtc),
    row.kind,
    row.word,
    lead,
    rest,
    event.payId === null ? '' : `${link.note} ${event.payId}`,
    row.took === null ? '' : formatTook(row.took),
  ]
}

test.each(events.map((event, index) => [`${event.type} ${index}`, event] as const))(
  'a search for any word of a row finds the row: %s',
  (_name, event) => {
    const entry = toEntry(event, { listenerAnswerOf: () => undefined, checkOf: () => undefined })
    const words = cellsOf(event).flatMap((cell) => cell.split(/\s+/).filter(Boolean))

    const missed = words.filter((word) => !parseFilter(word, context).readings[0].passes(entry))

    expect(missed).toEqual([])
    expect(words.length).toBeGreaterThan(5)
  },
)
