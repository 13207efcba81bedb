import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createDiagnostic } from '../../server/domain/diagnostics/diagnostic.ts'
import { createForgedMark } from '../../server/domain/faults/fault.ts'
import { createEventIndex } from '../../ui/data/event-index.ts'
import { hasRow } from '../../ui/data/has-row.ts'
import { percentile, summarize, type Summary } from '../../ui/overview/summarize.ts'
import { workInSlices } from '../../ui/search/slices.ts'
import { about, attempted, call, created, delivery, paid, stored, listenerAnswer } from './event.ts'

function summaryOf(...events: readonly EventView[]): Summary {
  const index = createEventIndex()
  const numbered = events.map((event, position) => ({ ...event, seq: position + 1 }))
  for (const event of numbered) index.add(event)
  const steps = summarize({
    events: numbered.filter(hasRow),
    payments: [...index.payments.values()],
    webhooksOf: (payId) => index.webhooksOfPayment(payId),
    listenerAnswerOf: index.listenerAnswerOf,
    eventsOf: (payId) => index.eventsOfPayment(payId),
  })
  return workInSlices(
    () => ({ query: '', items: numbered }),
    () => steps,
  ).shown.value
}

const of = (payId: number, event: EventView): EventView => ({ ...event, payId, linkId: payId }) as EventView
const linkOf = (payId: number, amount = 100): EventView => ({
  ...created,
  payId,
  link: { ...created.link, payId, id: payId, amount },
})
const finding = (
  payId: number | null,
  eventSeq: number,
  code: 'receiverRedirected' | 'keyInAuthorization',
): EventView =>
  ({
    ...about,
    payId,
    type: 'diagnostic.found',
    ...createDiagnostic(code, '302 to /login, from http://a'),
    eventSeq,
  }) as EventView
const hooks = 'http://127.0.0.1:4731/hooks'

const run = [
  linkOf(1),
  of(1, paid),
  of(1, attempted({ ms: 10 })),
  linkOf(2, 64),
  of(2, paid),
  of(
    2,
    attempted({
      deliveryId: 2,
      target: hooks,
      httpStatus: 302,
      state: 'pending',
      nextAttemptAt: about.at,
      ms: 2,
    }),
  ),
  finding(2, 6, 'receiverRedirected'),
  of(2, attempted({ deliveryId: 2, target: hooks, httpStatus: 302, attempt: 2, state: 'failed', ms: 4 })),
  finding(2, 8, 'receiverRedirected'),
  linkOf(3),
  of(3, attempted({ deliveryId: 3, target: hooks, httpStatus: 302, state: 'failed', ms: 6 })),
  finding(3, 11, 'receiverRedirected'),
  of(3, attempted({ deliveryId: 4, target: hooks, cause: 'replay', replayOf: 3, ms: 8 })),
  call({ code: 0, message: 'Common error', payId: null }),
  finding(null, 14, 'keyInAuthorization'),
  linkOf(4, 250),
  of(4, { ...about, type: 'bank_transfer.initiated', entryPoint: 'checkout' }),
  of(1, { ...about, type: 'refund.requested', amount: 40, full: false }),
]

test('a run is summarized in figures', () => {
  expect(summaryOf(...run)).toMatchObject({
    payments: 4,
    paid: 2,
    paidAmount: 164,
    attempts: 5,
    deliveredFirst: 1,
    failedAttempts: 3,
    held: 0,
    calls: 1,
    rejected: 1,
    rejectedCalls: [{ message: 'Common error', count: 1 }],
    decisions: { transfers: 1, refunds: 1, disputes: 0, transferAmount: 250, otherAmount: 40 },
  })
})

test('findings are grouped by cause, with their remedy and where they were found', () => {
  expect(summaryOf(...run).causes).toMatchObject([
    {
      code: 'receiverRedirected',
      severity: 'error',
      events: 3,
      places: ['127.0.0.1:4731/hooks'],
      payments: 2,
      deliveredLater: 1,
      fix: expect.stringContaining('Do not require a login'),
    },
    { code: 'keyInAuthorization', events: 1, places: ['createSplitLink'], payments: 0, deliveredLater: 0 },
  ])
})

test('only webhooks that their payment sent count as delivered at the first try', () => {
  const later = { cause: 'replay', replayOf: 1, deliveryId: 2 } as const
  const { deliveredFirst } = summaryOf(
    linkOf(1),
    of(1, paid),
    of(1, attempted({ httpStatus: 500, state: 'failed' })),
    of(1, attempted({ ...later, fault: createForgedMark('body') })),
    of(1, attempted({ ...later, deliveryId: 3 })),
  )

  expect(deliveredFirst).toBe(0)
})

test('a webhook that was delivered at once is not counted as delivered later, even if it has a finding', () => {
  const { causes } = summaryOf(linkOf(1), of(1, paid), of(1, attempted({ ms: 3_300 })), {
    ...about,
    type: 'diagnostic.found',
    ...createDiagnostic('receiverSlow', '3.3 s'),
    eventSeq: 3,
  } as EventView)

  expect(causes).toMatchObject([{ code: 'receiverSlow', payments: 1, deliveredLater: 0 }])
})

test('the figures of a receiver include percentiles of the answered attempts', () => {
  const gone = attempted({
    deliveryId: 9,
    target: 'http://127.0.0.1:4799/down',
    httpStatus: null,
    error: 'refused',
    ms: 1,
  })
  expect(summaryOf(...run, of(1, gone)).receivers).toEqual([
    { target: 'http://127.0.0.1:4799/down', attempts: 1, failed: 1, p50: null, p95: null },
    { target: 'http://localhost:3000/hooks', attempts: 1, failed: 0, p50: 10, p95: 10 },
    { target: hooks, attempts: 4, failed: 3, p50: 4, p95: 8 },
  ])
})

test.each([
  [[], 50, null],
  [[3], 95, 3],
  [[4, 1, 3, 2], 50, 2],
  [Array.from({ length: 100 }, (_, index) => index + 1), 95, 95],
])('the percentile of %j is exact', (values, percent, expected) => {
  expect(percentile(values, percent)).toBe(expected)
})

test('a stored webhook counts as delivered once a listener has fetched it', () => {
  const figures = (...events: readonly EventView[]) => {
    const { deliveredFirst, stored: inTunnel, failedAttempts } = summaryOf(linkOf(1), of(1, paid), ...events)
    return [deliveredFirst, inTunnel, failedAttempts]
  }

  expect(figures(of(1, stored))).toEqual([0, 1, 0])
  expect(figures(of(1, stored), of(1, listenerAnswer()))).toEqual([1, 0, 0])
  expect(figures(of(1, stored), of(1, listenerAnswer({ status: 500 })))).toEqual([0, 0, 1])
})

test('the open points of a run include those of events without a row', () => {
  const { assumptions } = summaryOf(
    call({ assumed: ['payId'] }),
    linkOf(1),
    of(1, { ...delivery, type: 'delivery.queued', assumed: ['payId', 'webhookEncoding'] } as EventView),
    of(1, attempted({ httpStatus: 500, state: 'failed' })),
  )

  expect(Object.fromEntries(assumptions)).toEqual({ payId: 2, webhookEncoding: 1, retries: 1 })
})
