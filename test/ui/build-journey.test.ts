import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { formatStatus } from '../../server/contract/format/event-row.ts'
import { createDiagnostic } from '../../server/domain/diagnostics/diagnostic.ts'
import { buildJourney, type JourneyStep } from '../../ui/payments/build-journey.ts'
import { about, attempted, call, created, delivery, paid, stored, listenerAnswer, viewed } from './event.ts'

const queued = (changes: Partial<Extract<EventView, { type: 'delivery.queued' }>> = {}): EventView => ({
  ...delivery,
  ...changes,
  type: 'delivery.queued',
  assumed: [],
})
const held: EventView = { ...delivery, type: 'delivery.held', host: 'shop.test', hostScope: 'public' }
const allowed: EventView = { ...delivery, type: 'delivery.allowed' }
const redirect = { location: 'http://shop.test/ok', status: 'Success', assumed: [] } as const
const requested: EventView = { ...about, type: 'refund.requested', amount: 40, full: false }
const captured: EventView = {
  ...about,
  type: 'tunnel.captured',
  tunnel: 'shop',
  method: 'POST',
  path: '/tunnel/shop',
  status: 200,
  size: 9,
  capturedDeliveryId: 1,
}

/** Numbers events in sequence, one minute apart. */
const inOrder = (events: readonly EventView[]): EventView[] =>
  events.map((event, index) => ({ ...event, seq: index + 1, at: `2026-11-21T03:${10 + index}:00.000Z` }))

/** One line for each step, with its event. Steps of a webhook are indented below it. */
const linesOf = (steps: readonly JourneyStep[], indent = ''): string[] =>
  steps.flatMap(({ seq, text, detail, status, webhook }) => [
    `${indent}${[text, detail, formatStatus(status)].filter(Boolean).join(' | ')} #${seq}` +
      (webhook?.laterStatuses ?? [])
        .map((later) => `, ${formatStatus(later.status)} #${later.seq}`)
        .join('') +
      (typeof webhook?.captured === 'number' ? `, captured #${webhook.captured}` : ''),
    ...linesOf(webhook?.repeats ?? [], `${indent}  `),
  ])

test.each<[title: string, events: EventView[], journey: string[]]>([
  [
    'a call and the link it made are one step',
    [created, call()],
    ['Created by API | createSplitLink | ✓ created #2'],
  ],
  [
    'a refund and the call that requested it are one step',
    [created, call(), requested, call({ operation: 'refundPayment' })],
    [
      'Created by API | createSplitLink | ✓ created #2',
      'Refund requested by API | €40.00, refundPayment | ○ requested #4',
    ],
  ],
  [
    'a payment, its redirect and its webhook follow one another',
    [
      viewed,
      { ...paid, entryPoint: 'checkout' },
      { ...about, type: 'redirect.sent', ...redirect },
      queued(),
      attempted(),
    ],
    [
      'Page opened: checkout | ✓ 200 #1',
      'Paid by card | €100.00 | ✓ paid #2',
      'Redirect → shop.test/ok | ✓ 302 #3',
      'Webhook → localhost:3000/hooks | status: Success | ✓ 200 #5',
    ],
  ],
  [
    'a webhook without an attempt is queued',
    [queued()],
    ['Webhook → localhost:3000/hooks | status: Success | ○ queued #1'],
  ],
  [
    'the line of a webhook has all of its attempts',
    [queued(), attempted({ httpStatus: 500, state: 'failed' }), attempted({ attempt: 2 })],
    ['Webhook → localhost:3000/hooks | status: Success | ✕ 500 #2, ✓ 200 #3'],
  ],
  [
    'a held webhook, and its attempt after it is allowed',
    [queued(), held, allowed, attempted()],
    ['Webhook → localhost:3000/hooks | status: Success | ○ held #2, ✓ allowed #3, ✓ 200 #4'],
  ],
  [
    'a finding about a webhook is not a separate step',
    [
      queued(),
      attempted({ httpStatus: 500, state: 'failed' }),
      { ...about, type: 'diagnostic.found', eventSeq: 2, ...createDiagnostic('receiverRefused', '500') },
    ],
    ['Webhook → localhost:3000/hooks | status: Success | ✕ 500 #2'],
  ],
  [
    'a request that a tunnel captured belongs to its webhook',
    [queued(), captured, attempted()],
    ['Webhook → localhost:3000/hooks | status: Success | ✓ 200 #3, captured #2'],
  ],
  [
    'a request that a listener fetches from a tunnel belongs to its webhook',
    [queued(), captured, stored, listenerAnswer({ status: 500 }), listenerAnswer()],
    [
      'Webhook → localhost:3000/hooks | status: Success | ○ stored #3, ✕ 500, fetched by listener laptop #4, ✓ 201, fetched by listener laptop #5, captured #2',
    ],
  ],
  [
    'replays and resends stand below the webhook that they repeat, a replay of a replay too',
    [
      queued(),
      attempted({ httpStatus: 500, state: 'failed' }),
      queued({ deliveryId: 2, target: 'http://shop.test/other' }),
      queued({ deliveryId: 3, cause: 'replay', replayOf: 1, reason: 'replay of delivery 1' }),
      attempted({ deliveryId: 3, cause: 'replay', replayOf: 1, reason: 'replay of delivery 1' }),
      queued({ deliveryId: 4, cause: 'replay', replayOf: 3, reason: 'replay of delivery 3' }),
      queued({ deliveryId: 5, cause: 'resend' }),
      attempted({ deliveryId: 5, cause: 'resend' }),
    ],
    [
      'Webhook → localhost:3000/hooks | status: Success | ✕ 500 #2',
      '  Replay → localhost:3000/hooks | replay of delivery 1 | ✓ 200 #5',
      '  Replay → localhost:3000/hooks | replay of delivery 3 | ○ queued #6',
      '  Resent → localhost:3000/hooks | status: Success | ✓ 200 #8',
      'Webhook → shop.test/other | status: Success | ○ queued #3',
    ],
  ],
  [
    'a resend to a new target is a separate step',
    [queued({ cause: 'resend' }), call({ operation: 'sendWebhookViaPayId', message: 'Sent' })],
    [
      'Resent → localhost:3000/hooks | status: Success | ○ queued #1',
      'sendWebhookViaPayId | Sent | ✓ 200 #2',
    ],
  ],
  [
    'disputes and decisions are steps',
    [
      { ...about, type: 'dispute.opened' },
      { ...about, type: 'dispute.closed', outcome: 'lost' },
      { ...about, type: 'refund.approved', amount: 40, full: false },
    ],
    [
      'Dispute opened | Refunds are blocked | ○ disputed #1',
      'Dispute closed | The customer lost | – lost #2',
      'Refund approved | €40.00 | ✓ approved #3',
    ],
  ],
])('the journey of a payment shows each step: %s', (_title, events, journey) => {
  expect(linesOf(buildJourney(inOrder(events)))).toEqual(journey)
})

test('a pending webhook shows its next attempt until it is made', () => {
  const nextAttemptAt = '2026-11-21T04:00:00.000Z'
  const failed = attempted({ httpStatus: 500, state: 'pending', nextAttemptAt })
  const due = (...events: EventView[]) => buildJourney(inOrder(events))[0]!.webhook!.nextAttemptAt
  expect([due(queued()), due(queued(), failed), due(queued(), failed, attempted({ attempt: 2 }))]).toEqual([
    null,
    nextAttemptAt,
    null,
  ])
})

test('a webhook can be sent despite the egress policy only while it is held', () => {
  const isHeld = (...events: EventView[]) => buildJourney(inOrder(events))[0]!.webhook!.isHeld
  expect([isHeld(queued()), isHeld(queued(), held), isHeld(queued(), held, allowed)]).toEqual([
    false,
    true,
    false,
  ])
})
