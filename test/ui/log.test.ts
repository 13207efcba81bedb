import { effect, signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { createLog, indexOf, toEntry, type Log } from '../../ui/data/log.ts'
import { describeEvent } from '../../server/contract/format/describe-event.ts'
import type { EventView } from '../../server/contract/views.ts'
import { createView } from '../../ui/search/create-view.ts'
import { NO_CONTEXT } from '../../ui/search/filter-terms.ts'
import { about, attempted, call, created, inOrder, stored, listenerAnswer } from './event.ts'

const calls = (...seqs: number[]) => seqs.map((seq) => call({ seq }))
const seqsOf = ({ journal }: Log) => journal.value.entries.map(({ event }) => event.seq)

test('the log keeps an event once even if it arrives twice', () => {
  const log = createLog()
  log.start({ epoch: 'a', head: 3 })

  log.append(calls(1, 2))
  log.append(calls(2, 3))

  expect(seqsOf(log)).toEqual([1, 2, 3])
  expect(log.journal.value.last).toBe(3)
})

test('a reconnect keeps the events, and a new epoch deletes them', () => {
  const log = createLog()
  log.start({ epoch: 'a', head: 2 })
  log.append(calls(1, 2))

  log.start({ epoch: 'a', head: 2 })
  expect(seqsOf(log)).toEqual([1, 2])

  log.start({ epoch: 'b', head: 1 })
  log.append(calls(1))
  expect(seqsOf(log)).toEqual([1])
  expect(log.journal.value.epochCount).toBe(1)
})

test('the log reads a journal again if it ends earlier than before', () => {
  const log = createLog()
  log.start({ epoch: 'a', head: 3 })
  log.append(calls(1, 2, 3))

  log.start({ epoch: 'a', head: 2 })
  log.append(calls(1, 2))
  expect(seqsOf(log)).toEqual([1, 2])
  expect(log.journal.value.epochCount).toBe(1)
})

test('an event without a row also updates its payment', () => {
  const log = createLog()

  log.append([{ ...created, seq: 1 }, call({ seq: 2 })])

  expect(seqsOf(log)).toEqual([2])
  expect(log.journal.value.eventIndex.payments.get(1001)?.link.note).toBe('Order 7')
})

test('above its limit the log deletes the oldest rows, and counts them', () => {
  const log = createLog(20)

  log.append(calls(...Array.from({ length: 25 }, (_, index) => index + 1)))

  expect(seqsOf(log)).toEqual(Array.from({ length: 19 }, (_, index) => index + 7))
  expect(log.journal.value.dropped).toBe(6)
  expect(indexOf(log.journal.value.entries, 7)).toBe(0)
  expect(indexOf(log.journal.value.entries, 6)).toBe(-1)
})

test('a view shows the rows that match its filter, and does not change while it is paused', () => {
  const log = createLog()
  const query = signal('is:failed')
  const pausedAt = signal<number | undefined>(undefined)
  const view = createView(log, query, pausedAt)
  const shown = () => view.value.rows.map(({ event }) => event.seq)
  const failing = (seq: number) => call({ seq, code: 0 })

  log.append([call({ seq: 1 }), failing(2)])
  expect(shown()).toEqual([2])

  pausedAt.value = 2
  log.append([failing(3), call({ seq: 4 })])
  expect(shown()).toEqual([2])

  pausedAt.value = undefined
  expect(shown()).toEqual([2, 3])

  query.value = ''
  expect(shown()).toEqual([1, 2, 3, 4])
})

test('a view that reads in slices keeps its rows until all entries are tested', async ({
  onTestFinished,
}) => {
  const log = createLog()
  const query = signal('is:failed')
  const view = createView(log, query, signal(undefined), {
    range: signal(undefined),
    context: signal(undefined),
    unfolded: signal(new Set()),
    sliceMs: 0,
  })
  const events = Array.from({ length: 1_500 }, (_, index) =>
    call({ seq: index + 1, code: index % 2 === 0 ? 0 : 1 }),
  )
  log.append(events)
  const shown: (readonly [query: string | undefined, rows: number])[] = []
  onTestFinished(effect(() => void shown.push([view.value.query, view.value.rows.length])))
  await expect.poll(() => shown.at(-1)).toEqual(['is:failed', 750])

  shown.length = 0
  query.value = 'zzz'
  query.value = ''
  log.append([call({ seq: 1_501, code: 0 })])
  expect(view.value.query).toBe('is:failed')
  await expect.poll(() => view.value.query).toBe('')
  expect(shown).toEqual([['', 1_501]])
})

test('a view removes the rows that the log deleted', () => {
  const log = createLog(20)
  const view = createView(log, signal(''), signal(undefined))
  log.append(calls(1, 2, 3))
  expect(view.value.rows).toHaveLength(3)

  log.append(calls(...Array.from({ length: 22 }, (_, index) => index + 4)))

  expect(view.value.rows[0]?.event.seq).toBe(7)
  expect(view.value.removed).toBe(3)
})

test('resetting or deleting an account removes its rows from log and views', () => {
  const log = createLog()
  const view = createView(log, signal(''), signal(undefined))
  const rows = () => view.value.rows.map(({ event }) => event.seq)
  log.append([...calls(1, 2), call({ seq: 3, accountId: 'theirs' }), call({ seq: 4, accountId: null })])
  expect(rows()).toEqual([1, 2, 3, 4])
  const gone = { at: about.at, linkId: null, payId: null, name: 'One' }

  log.append([{ ...gone, type: 'account.reset', seq: 5, accountId: about.accountId }, ...calls(6)])
  expect([seqsOf(log), rows()]).toEqual([
    [3, 4, 5, 6],
    [3, 4, 5, 6],
  ])

  log.append([{ ...gone, type: 'account.deleted', seq: 7, accountId: 'theirs' }])
  expect([seqsOf(log), rows()]).toEqual([
    [4, 5, 6, 7],
    [4, 5, 6, 7],
  ])
  expect(log.journal.value.dropped).toBe(0)
})

test('after a reset of an account, its words no longer correct a search', () => {
  const log = createLog()
  const noted = (seq: number, payId: number, note: string): EventView => ({
    ...created,
    seq,
    payId,
    link: { ...created.link, payId, note },
  })
  const gone = { at: about.at, accountId: about.accountId, linkId: null, payId: null, name: 'One' }
  log.append([noted(1, 1001, 'Rosen'), { ...gone, type: 'account.reset', seq: 2 }, noted(3, 1002, 'Roses')])

  expect(['rosen', 'roses'].map((word) => log.journal.value.words.has(word))).toEqual([false, true])
})

test('a typing error in a word of a finding is corrected, and finds the event', () => {
  const log = createLog()
  const query = signal('')
  const context = signal({ ...NO_CONTEXT, findingsOf: log.journal.value.eventIndex.findingsOf })
  const view = createView(log, query, signal(undefined), {
    range: signal(undefined),
    context,
    unfolded: signal(new Set()),
  })
  const finding = { title: 'Wrong type', seen: 'a=b', fix: 'Serialize the body.', code: 'callType' }
  log.append([
    call({ seq: 1 }),
    { ...about, ...finding, type: 'diagnostic.found', seq: 2, eventSeq: 1 } as EventView,
  ])

  query.value = 'serialise'

  expect(view.value.rows.map(({ event }) => event.seq)).toEqual([1])
  expect(view.value.reading.corrected).toBe('serialize')
})

test('events that the sandbox deleted before they were received are counted', () => {
  const log = createLog()
  log.start({ epoch: 'a', head: 120, oldest: 101 })
  expect(log.journal.value.missing).toBe(100)
  log.append(calls(101, 102))

  log.start({ epoch: 'a', head: 130, oldest: 101 })
  expect(log.journal.value.missing).toBe(100)
  log.start({ epoch: 'a', head: 300, oldest: 203 })
  expect(log.journal.value.missing).toBe(200)
  log.start({ epoch: 'b', head: 5, oldest: 1 })
  expect(log.journal.value.missing).toBe(0)
})

test.each<[query: string, before: number[], after: number[]]>([
  ['is:stored', [1], []],
  ['is:stored kind:webhook', [1], []],
  ['status:stored', [1], []],
  ['status:201', [], [1, 3]],
  ['fetched', [], [1]],
  ['kind:webhook', [1, 2], [1, 2]],
])('the row of a stored webhook changes when a listener fetches it: %s', (query, before, after) => {
  const log = createLog()
  const view = createView(log, signal(query), signal(undefined))
  const rows = () => view.value.rows.map(({ event }) => event.seq)
  log.append([{ ...stored, seq: 1 }, attempted({ seq: 2, deliveryId: 2 })])
  expect(rows()).toEqual(before)

  log.append([listenerAnswer({ seq: 3 })])

  expect(rows()).toEqual(after)
  expect(view.value.rows.find(({ event }) => event.seq === 1)?.row.word ?? '201').toBe('201')
})

test('the row of a failed attempt keeps its own answer when a listener fetches the next attempt', () => {
  const log = createLog()
  const failed = attempted({ seq: 1, httpStatus: 500, state: 'pending', nextAttemptAt: about.at })
  log.append([failed, { ...stored, seq: 3, attempt: 2 }, listenerAnswer({ seq: 4, eventSeq: 2 })])

  const { entries, eventIndex } = log.journal.value
  const shown = [toEntry(failed, eventIndex), ...entries.slice(1)]

  expect(shown.map((entry) => entry.listenerAnswer?.status)).toEqual([undefined, 201, undefined])
})

const sent = (seq: number, check: string): EventView => ({
  ...about,
  accountId: null,
  payId: null,
  linkId: null,
  seq,
  type: 'check.sent',
  target: 'http://localhost:3000/webhook',
  check,
  run: 'a',
  httpStatus: 200,
  error: null,
  ms: 5,
})

test('a check is one row as soon as it has sent two webhooks', () => {
  const log = createLog()
  const rows = () => createView(log, signal(''), signal(undefined)).value.rows.map(({ row }) => row.rest)

  log.append([sent(1, 'json')])
  expect(rows()).toEqual([describeEvent(sent(1, 'json')).rest])
  log.append([sent(2, 'json'), sent(3, 'empty-body')])
  expect(rows()).toEqual(['check with 2 cases'])
})

test('a check says how many webhooks failed, and a search for one of them finds its row', () => {
  const log = createLog()
  log.append([sent(1, 'json'), { ...sent(2, 'empty-body'), httpStatus: 503 } as EventView, sent(3, 'json')])
  const rowsOf = (query: string) =>
    createView(log, signal(query), signal(undefined)).value.rows.map(({ event, row }) => [
      event.seq,
      row.word,
      row.rest,
    ])

  expect(rowsOf('')).toEqual([[1, '1 failed', 'check with 2 cases · 3 sent']])
  expect(rowsOf('status:503')).toEqual(rowsOf(''))
  log.append([sent(4, 'json')])
  expect(rowsOf('503')).toEqual([[1, '1 failed', 'check with 2 cases · 4 sent']])
  expect(rowsOf('status:404')).toEqual([])
  expect(rowsOf('-is:failed')).toEqual([])
  expect(rowsOf('-status:503 -webhook')).toEqual([])
})

test('a connection that a check broke itself is not a failure', () => {
  const log = createLog()
  const broken = {
    ...sent(2, 'connection-lost'),
    httpStatus: null,
    error: 'closed',
    hungUp: true,
  } as EventView
  log.append([sent(1, 'json'), broken])
  const { rows } = createView(log, signal(''), signal(undefined)).value

  expect(rows.map(({ row }) => row.rest)).toEqual(['check with 2 cases'])
})

test('the search “delivery” finds all webhooks, and “delivery 12” finds one', () => {
  const log = createLog()
  log.append(inOrder(attempted(), attempted({ deliveryId: 12 })))
  const count = (query: string) => createView(log, signal(query), signal(undefined)).value.rows.length

  expect(['delivery', 'delivery 12', 'delivery 13'].map(count)).toEqual([2, 1, 0])
})

test('the search “payment 1001” is not corrected to a similar word of a note', () => {
  const log = createLog()
  const similar = { ...created, payId: 1002, link: { ...created.link, payId: 1002, note: 'Paymant' } }
  log.append(inOrder(call(), similar))
  const { rows, reading } = createView(log, signal('payment 1001'), signal(undefined)).value

  expect(rows.map(({ event }) => event.payId)).toEqual([1001])
  expect(reading.corrected).toBeUndefined()
})

test('the row of an unfolded check stays above those of its webhooks that match a search', () => {
  const log = createLog()
  log.append([sent(1, 'json'), { ...sent(2, 'empty-body'), httpStatus: 503 } as EventView, sent(3, 'json')])
  const extras = { range: signal(undefined), context: signal(undefined), unfolded: signal(new Set([1])) }
  const { rows } = createView(log, signal('status:503'), signal(undefined), extras).value

  expect(rows.map(({ event }) => event.seq)).toEqual([1, 2])
})

test('a check whose first webhook is no longer kept begins again with the next one', () => {
  const log = createLog(20)
  log.append([sent(1, 'json'), sent(2, 'json')])
  log.append(calls(...Array.from({ length: 25 }, (_, index) => index + 3)))

  log.append([sent(40, 'json')])
  expect(createView(log, signal('kind:check'), signal(undefined)).value.rows).toHaveLength(1)
  expect(createView(log, signal(''), signal(undefined)).value.rows.at(-1)?.event.seq).toBe(40)
})
