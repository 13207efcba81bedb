import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createEventIndex } from '../../ui/data/event-index.ts'
import { createForgedMark } from '../../server/domain/faults/fault.ts'
import { webhookMarks } from '../../server/contract/format/webhook-marks.ts'
import {
  about,
  attempted,
  captured,
  created,
  delivery,
  inOrder,
  paid,
  stored,
  listenerAnswer,
} from '../ui/event.ts'

const failed = (changes: Parameters<typeof attempted>[0] = {}) =>
  attempted({ httpStatus: 500, state: 'failed', ...changes })
const later = '2026-11-21T04:00:00.000Z'
const queued: EventView = { ...delivery, type: 'delivery.queued', assumed: [] }
const held: EventView = { ...delivery, type: 'delivery.held', host: 'shop.test', hostScope: 'public' }
const allowed: EventView = { ...delivery, type: 'delivery.allowed' }

/** A listener answers 500 to the first attempt. No listener is connected during the second attempt. */
const retried: readonly EventView[] = [
  { ...captured, status: null },
  listenerAnswer({ status: 500, eventSeq: 1 }),
  failed({ nextAttemptAt: later, state: 'pending' }),
  captured,
  { ...stored, attempt: 2 },
]

const elsewhere = () =>
  attempted({ deliveryId: 2, replayOf: 1, cause: 'replay', target: 'http://localhost:3000/b' })

const told = (...events: readonly EventView[]): string[] =>
  webhookMarks(inOrder(...events)).map(({ target, deliveredTo, state, seq, attempts }) =>
    `${target} ${state}${deliveredTo === undefined ? '' : ` to ${deliveredTo}`} #${seq} ${attempts}`.replaceAll(
      'http://localhost:3000',
      '',
    ),
  )

test.each<[name: string, events: readonly EventView[], marks: string[]]>([
  ['no webhook', [created, paid], []],
  ['delivered', [queued, attempted()], ['/hooks delivered #2 1']],
  ['held', [queued, held], ['/hooks held #2 0']],
  ['allowed', [queued, held, allowed], ['/hooks queued #3 0']],
  ['retrying', [queued, failed({ nextAttemptAt: later, state: 'pending' })], ['/hooks retrying #2 1']],
  ['failed for good', [failed({ nextAttemptAt: later }), failed({ attempt: 2 })], ['/hooks failed #2 2']],
  ['no answer', [failed({ httpStatus: null, error: 'refused' })], ['/hooks failed #1 1']],
  [
    'two targets',
    [attempted(), failed({ deliveryId: 2, target: 'http://localhost:3000/b' })],
    ['/hooks delivered #1 1', '/b failed #2 1'],
  ],
  [
    'a replay to another address counts for the target of its original',
    [failed(), elsewhere()],
    ['/hooks delivered to /b #2 1'],
  ],
  [
    'a failed replay to the target keeps the delivery to another address',
    [failed(), elsewhere(), failed({ deliveryId: 3, replayOf: 1, cause: 'replay' })],
    ['/hooks delivered to /b #2 1'],
  ],
  [
    'a replay to another address that fails there says nothing about the target',
    [failed(), failed({ deliveryId: 2, replayOf: 1, cause: 'replay', target: 'http://localhost:3000/b' })],
    ['/hooks failed #1 1'],
  ],
  [
    'a replay that is held for another address says nothing about the target',
    [failed(), { ...held, deliveryId: 2, replayOf: 1, cause: 'replay', target: 'https://shop.test/hooks' }],
    ['/hooks failed #1 1'],
  ],
  [
    'a delivery to the target replaces the one to another address',
    [failed(), elsewhere(), attempted({ deliveryId: 3, replayOf: 1, cause: 'replay' })],
    ['/hooks delivered #3 1'],
  ],
  [
    'a delivery to another address does not replace the one to the target',
    [attempted(), elsewhere()],
    ['/hooks delivered #1 1'],
  ],
  [
    'a failed replay of a delivered webhook changes nothing',
    [attempted(), failed({ deliveryId: 2, replayOf: 1, cause: 'replay' })],
    ['/hooks delivered #1 1'],
  ],
  ['stored', [queued, stored], ['/hooks stored #2 1']],
  ['fetched', [stored, listenerAnswer()], ['/hooks delivered #1 1']],
  ['fetched before its attempt was recorded', [listenerAnswer(), stored], ['/hooks delivered #2 1']],
  ['fetched, and refused by the app', [stored, listenerAnswer({ status: 500 })], ['/hooks failed #1 1']],
  [
    'one success is enough',
    [stored, listenerAnswer({ status: null }), listenerAnswer()],
    ['/hooks delivered #1 1'],
  ],
  ['stored after an attempt that a listener answered', retried, ['/hooks stored #5 2']],
  [
    'a late answer to an earlier attempt does not count',
    [...retried, listenerAnswer({ eventSeq: 1 })],
    ['/hooks stored #5 2'],
  ],
  [
    'fetched after an attempt that a listener answered',
    [...retried, listenerAnswer({ eventSeq: 4 })],
    ['/hooks delivered #5 2'],
  ],
  ['answered by the sandbox only', [stored, listenerAnswer({ listener: null })], ['/hooks stored #1 1']],
  [
    'a replay of a stored webhook that fails',
    [stored, failed({ deliveryId: 2, replayOf: 1, cause: 'replay' })],
    ['/hooks failed #2 1'],
  ],
  [
    'a forged webhook does not count',
    [attempted({ cause: 'forged', fault: createForgedMark('amount') })],
    [],
  ],
  [
    'a replay with changed bytes does not count, and neither does a replay of it',
    [
      failed(),
      attempted({ deliveryId: 2, replayOf: 1, cause: 'replay', fault: createForgedMark('body') }),
      attempted({ deliveryId: 3, replayOf: 2, cause: 'replay', fault: createForgedMark('body') }),
    ],
    ['/hooks failed #1 1'],
  ],
])('webhooks are marked by their newest attempt: %s', (_name, events, marks) => {
  expect(told(...events)).toEqual(marks)
})

test('the index has the answer of the listener that fetched the stored attempt, not an earlier answer', () => {
  const index = createEventIndex()
  const [firstAnswer, lastAnswer] = [
    listenerAnswer({ eventSeq: 1, seq: 6 }),
    listenerAnswer({ eventSeq: 4, seq: 7 }),
  ]
  for (const event of [...inOrder(...retried), firstAnswer]) index.add(event)
  expect(index.listenerAnswerOf(1)).toBeUndefined()

  index.add(lastAnswer)

  expect(index.listenerAnswerOf(1)).toEqual(lastAnswer)
})

test('the index of events groups payments by what happened to their webhooks', () => {
  const index = createEventIndex()
  const add = (payId: number, ...events: readonly EventView[]) => {
    for (const event of events) index.add({ ...event, payId, seq: payId * 100 + 1 } as EventView)
  }
  add(1, created, paid, attempted())
  add(2, created, paid, failed({ deliveryId: 2 }))
  add(3, created, paid, { ...held, deliveryId: 3 } as EventView)
  add(4, created, { ...about, type: 'bank_transfer.initiated', entryPoint: 'checkout' })
  const members = () =>
    (['missed', 'transfer', 'held'] as const).map((group) => [...index.groupOfPayments(group)])
  expect(members()).toEqual([[2, 3], [4], [3]])

  add(2, attempted({ deliveryId: 5, replayOf: 2, cause: 'replay' }))
  expect(members()).toEqual([[3], [4], [3]])
  expect(index.webhooksOfPayment(2)).toMatchObject([{ state: 'delivered', deliveryId: 5 }])

  index.removeBefore(400)
  expect(members()).toEqual([[], [4], []])
  expect(index.webhooksOfPayment(3)).toEqual([])
})
