import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createDiagnostic } from '../../server/domain/diagnostics/diagnostic.ts'
import { describeEvent } from '../../server/contract/format/describe-event.ts'
import { formatStatus, type EventKind, type Tone } from '../../server/contract/format/event-row.ts'
import { about, attempted, call, created, paid, stored, listenerAnswer } from '../ui/event.ts'

type Told = [kind: EventKind, tone: Tone, status: string, lead: string, rest: string]

test.each<[title: string, event: EventView, ...Told]>([
  ['a call', call(), 'api', 'ok', '✓ 200', 'createSplitLink', 'Link has been created successfully'],
  [
    'a refusal, although HTTP says 200',
    call({ code: 0, message: 'Please enter amount' }),
    ...(['api', 'err', '✕ 200 · code 0', 'Please enter amount', 'createSplitLink'] as const),
  ],
  [
    'a webhook that arrived',
    attempted(),
    'webhook',
    'ok',
    '✓ 200',
    'localhost:3000/hooks',
    'status: Success',
  ],
  [
    'a webhook that was refused',
    attempted({ httpStatus: 500, state: 'failed' }),
    ...(['webhook', 'err', '✕ 500', 'Answered 500', 'localhost:3000/hooks · status: Success'] as const),
  ],
  [
    'a webhook that a tunnel stored',
    stored,
    ...([
      'webhook',
      'plain',
      '○ stored',
      'Stored in tunnel flower-shop',
      'no listener was connected · localhost:3000/hooks · status: Success',
    ] as const),
  ],
  [
    'a webhook that a tunnel refused',
    attempted({ httpStatus: 500, state: 'failed', storedIn: 'flower-shop' }),
    ...([
      'webhook',
      'err',
      '✕ 500',
      'Answered 500',
      'answered by tunnel flower-shop · localhost:3000/hooks · status: Success',
    ] as const),
  ],
  [
    'a webhook without an answer',
    attempted({ httpStatus: null, error: 'connection refused', state: 'failed' }),
    ...([
      'webhook',
      'err',
      '✕ no response',
      'Connection refused',
      'localhost:3000/hooks · status: Success',
    ] as const),
  ],
  [
    'a webhook that will be retried',
    attempted({ httpStatus: 500, state: 'pending', nextAttemptAt: '2026-11-21T03:17:50.240Z' }),
    ...([
      'webhook',
      'warn',
      '↻ 500',
      'Answered 500',
      'next attempt in 5 s · localhost:3000/hooks · status: Success',
    ] as const),
  ],
  [
    'a webhook without an answer that will be retried',
    attempted({
      httpStatus: null,
      error: 'refused',
      state: 'pending',
      nextAttemptAt: '2026-11-21T05:17:45.240Z',
    }),
    ...([
      'webhook',
      'warn',
      '↻ no response',
      'Refused',
      'next attempt in 2 hours · localhost:3000/hooks · status: Success',
    ] as const),
  ],
  [
    'a replay, with its origin',
    attempted({ replayOf: 4, cause: 'replay', reason: 'replay of delivery 4', possibleDuplicate: true }),
    ...([
      'webhook',
      'ok',
      '✓ 200',
      'localhost:3000/hooks',
      'status: Success · replay of delivery 4 · possible duplicate',
    ] as const),
  ],
  [
    'a webhook redirected elsewhere, which is not a success',
    attempted({ httpStatus: 302, redirectedTo: '/login?next=%2F', state: 'failed' }),
    ...(['webhook', 'err', '✕ 302'] as const),
    'Redirected to /login',
    'localhost:3000/hooks · status: Success',
  ],
  [
    'a mapped webhook, whose lead is the mapped address',
    attempted({ target: 'https://shop.test/hooks', mappedTo: 'http://localhost:3000/hooks' }),
    ...(['webhook', 'ok', '✓ 200'] as const),
    'localhost:3000/hooks',
    'status: Success · mapped from https://shop.test/hooks',
  ],
  [
    'a payment by a simulated customer',
    paid,
    ...(['customer', 'ok', '✓ paid', 'Paid by card', '€100.00 · simulated'] as const),
  ],
  [
    'a bank transfer that the operator approved',
    { ...paid, method: 'bank-transfer' },
    ...(['operator', 'ok', '✓ paid', 'Bank transfer approved', '€100.00'] as const),
  ],
  [
    'a payment by the customer',
    { ...paid, entryPoint: 'checkout' },
    ...(['customer', 'ok', '✓ paid', 'Paid by card', '€100.00'] as const),
  ],
  [
    'a lost redirect',
    { ...about, type: 'redirect.lost', location: 'http://shop.test/ok', status: 'Success', assumed: [] },
    ...(['redirect', 'err', '✕ lost', 'The browser was closed', 'shop.test/ok'] as const),
  ],
  ['a new link', created, 'api', 'ok', '✓ created', 'Link created', '€100.00 · Order 7'],
])('the event %s is described in one row', (_title, event, kind, tone, status, lead, rest) => {
  const row = describeEvent(event)

  expect(row).toMatchObject({ kind, tone, lead, rest, payId: 1001 })
  expect(formatStatus(row)).toBe(status)
})

const invoice = {
  sfId: '531',
  accountId: about.accountId,
  invoiceId: '202612-sf-0123456789',
  invoiceDate: '2026-12-01',
  serviceMonth: '2026-11',
  serviceMonthText: 'November 2026',
  platformFee: 1,
  pspFee: 0.25,
  vat: 0.24,
  company: 'Flower Shop Sandbox GmbH',
  name: 'Flower Shop Account Holder',
  street: 'Sample Street',
  houseNo: '1',
  zipcode: '10115',
  city: 'Berlin',
  country: 'Germany',
  createdAt: '2026-11-30T23:00:00.000Z',
}

const clock = { ...about, type: 'clock.changed', mode: 'running', offsetMs: 0 } as const

test.each<[title: string, event: EventView, ...Told]>([
  [
    'an invoice',
    { ...about, type: 'invoice.issued', invoice },
    ...(['system', 'ok', '✓ issued', 'Invoice for November 2026', '€1.49'] as const),
  ],
  [
    'a finding',
    { ...about, type: 'diagnostic.found', eventSeq: 6, ...createDiagnostic('wrongMethod', 'GET') },
    ...(['diagnostic', 'err', '✕ error', 'The method is not POST', 'GET'] as const),
  ],
  [
    'an account that was changed',
    { ...about, type: 'account.changed', name: 'Flower Shop', fields: ['apiKey', 'webhookUrls'] },
    ...(['system', 'ok', '✓ changed', 'Account changed', 'Flower Shop: apiKey, webhookUrls'] as const),
  ],
  [
    'a clock that was advanced',
    { ...clock, from: '2026-11-10T12:00:00Z', to: '2026-11-11T12:00:00Z' },
    ...(['operator', 'ok', '✓ running', 'Clock moved forward by 1 day', ''] as const),
  ],
  [
    'a clock that was set back',
    { ...clock, from: '2026-11-10T12:00:00Z', to: '2026-11-10T10:00:00Z' },
    ...(['operator', 'ok', '✓ running', 'Clock moved back by 2 hours', ''] as const),
  ],
  [
    'a clock that was frozen',
    { ...clock, mode: 'frozen', from: '2026-11-10T12:00:00Z', to: '2026-11-10T12:00:00Z' },
    ...(['operator', 'ok', '✓ frozen', 'Clock frozen', ''] as const),
  ],
  [
    'a reset that was undone',
    { ...about, type: 'sandbox.restored', snapshot: 'before-reset', undo: true },
    ...(['operator', 'ok', '✓ undone', 'Reset undone', ''] as const),
  ],
])('the event %s is also described in one row', (_title, event, kind, tone, status, lead, rest) => {
  const row = describeEvent(event)

  expect(row).toMatchObject({ kind, tone, lead, rest })
  expect(formatStatus(row)).toBe(status)
})

test('a row has the HTTP status and the duration, for the filter', () => {
  expect(describeEvent(call())).toMatchObject({ code: 200, took: 22.3 })
  expect(describeEvent(paid)).toMatchObject({ code: null, took: null })
})

test.each<
  [
    title: string,
    answer: ReturnType<typeof listenerAnswer>,
    tone: Tone,
    status: string,
    lead: string,
    rest: string,
  ]
>([
  [
    'a success',
    listenerAnswer(),
    'ok',
    '✓ 201',
    'localhost:3000/hooks',
    'fetched by listener laptop · status: Success',
  ],
  [
    'a refusal',
    listenerAnswer({ status: 500 }),
    'err',
    '✕ 500',
    'Your app answered 500',
    'fetched by listener laptop · localhost:3000/hooks · status: Success',
  ],
  [
    'no answer',
    listenerAnswer({ status: null, error: 'connection refused' }),
    'err',
    '✕ no response',
    'Connection refused',
    'fetched by listener laptop · localhost:3000/hooks · status: Success',
  ],
])(
  'the row of a stored webhook that a listener has fetched shows the answer: %s',
  (_title, answer, ...row) => {
    const { lead, rest, ...status } = describeEvent(stored, answer)

    expect([status.tone, formatStatus(status), lead, rest]).toEqual(row)
  },
)

test('if a webhook was not stored, the answer of a listener does not change its row', () => {
  expect(describeEvent(attempted(), listenerAnswer({ status: 500 }))).toEqual(describeEvent(attempted()))
})
