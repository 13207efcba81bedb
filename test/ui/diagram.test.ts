import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createForgedMark } from '../../server/domain/faults/fault.ts'
import { createDiagnostic } from '../../server/domain/diagnostics/diagnostic.ts'
import { buildDiagram, type DiagramItem } from '../../ui/payments/diagram/build-diagram.ts'
import { placeItems } from '../../ui/payments/diagram/layout.ts'
import { escapeText, toMermaid } from '../../ui/payments/diagram/mermaid.ts'
import {
  about,
  attempted,
  call,
  created,
  delivery,
  inOrder,
  paid,
  stored,
  listenerAnswer,
  viewed,
} from './event.ts'

const START_MS = Date.parse('2026-11-21T03:00:00.000Z')

/** Numbers events in sequence. Each happens some seconds after the start. */
const at = (seconds: number, event: EventView): EventView => ({
  ...event,
  at: new Date(START_MS + seconds * 1_000).toISOString(),
})
const redirected: EventView = {
  ...about,
  type: 'redirect.sent',
  location: 'http://localhost:3000/thanks?status=Success',
  status: 'Success',
  assumed: [],
}
const login = (eventSeq: number): EventView => ({
  ...about,
  type: 'diagnostic.found',
  ...createDiagnostic('receiverRedirected', '302 to http://shop.test/login, from http://shop.test/hooks'),
  eventSeq,
})
const failing = (attempt: number, seconds: number, wait: number | null): EventView =>
  at(
    seconds,
    attempted({
      attempt,
      httpStatus: 302,
      redirectedTo: 'http://shop.test/login',
      state: wait === null ? 'failed' : 'pending',
      nextAttemptAt: wait === null ? null : new Date(START_MS + (seconds + wait) * 1_000).toISOString(),
    }),
  )
const moved = (seq: number, minutes: number) =>
  ({
    ...about,
    seq,
    type: 'clock.changed',
    payId: null,
    linkId: null,
    accountId: null,
    from: '2026-11-21T03:10:00.000Z',
    to: new Date(Date.parse('2026-11-21T03:10:00.000Z') + minutes * 60_000).toISOString(),
    mode: 'running',
  }) as unknown as Extract<EventView, { type: 'clock.changed' }>

/** One line for each item. */
const lines = (items: readonly DiagramItem[]): string[] =>
  items.map((item) => {
    const wait = item.kind === 'attempt' && item.wait !== null ? `(${item.wait}) ` : ''
    const text = item.kind === 'clock' ? item.text : item.label.text
    const answer = 'answer' in item ? ` | ${item.answer.text} ${item.answer.tone}` : ''
    return `${item.kind} #${item.seq} ${wait}${text}${answer}`
  })

const retried: readonly EventView[] = [
  ...inOrder(
    at(0, created),
    at(0, call({ operation: 'createLink' })),
    at(6, viewed),
    at(24, { ...paid, entryPoint: 'checkout', amount: 64 }),
    at(24, redirected),
    failing(1, 24, 30),
    login(6),
    failing(2, 54, 300),
    login(8),
  ),
  // The clock moves at 10.
  { ...failing(3, 360, null), seq: 11 },
  { ...login(11), seq: 12 },
]

test('the diagram of a payment has calls, steps, attempts with their waits, and moves of the clock', () => {
  const items = buildDiagram(retried, [moved(1, 9), moved(9, 8), moved(10, 40), moved(99, 5)])
  expect(lines(items)).toEqual([
    'call #2 createLink | 200 · pay_id 1001 ok',
    'step #3 opens checkout',
    'step #4 pays €64.00',
    'step #5 302 to /thanks',
    'attempt #6 webhook Success | 302 to /login warn',
    'attempt #8 (waits 30 s) attempt 2 | 302 to /login warn',
    'clock #10 Clock moved forward by 48 min',
    'attempt #11 attempt 3 | 302 to /login, gave up err',
  ])
  expect(items.map(({ sentence }) => sentence)).toEqual([
    'Your app calls createLink. The sandbox answers 200.',
    'The customer opens the page checkout.',
    'The customer pays €64.00 by card.',
    'The sandbox redirects the browser to http://localhost:3000/thanks?status=Success.',
    'Attempt 1 of the webhook Success to http://localhost:3000/hooks is answered 302 to /login. The next attempt follows after 30 s.',
    'Attempt 2 of the webhook Success to http://localhost:3000/hooks is answered 302 to /login. The next attempt follows after 5 min.',
    'Clock moved forward by 48 min.',
    'Attempt 3 of the webhook Success to http://localhost:3000/hooks is answered 302 to /login, the sandbox gives up.',
  ])
})

test('a move of the clock comes before the attempts that it made due', () => {
  const during = inOrder(at(0, created), failing(1, 24, 600), at(660, attempted({ attempt: 2 })))
  // The attempt is recorded when it has ended.
  expect(lines(buildDiagram(during, [moved(4, 5)]))).toEqual([
    'note #1 Link created',
    'attempt #2 webhook Success | 302 to /login warn',
    'clock #4 Clock moved forward by 5 min',
    'attempt #3 attempt 2 | 200 ok',
  ])
})

test('a label shortens a long host', () => {
  const targets = ['http://localhost:3000/hooks', `https://${'long-'.repeat(20)}name.example/hooks`]
  const items = buildDiagram(inOrder(...targets.map((target) => attempted({ target }))))
  expect(items.map((item) => item.kind === 'attempt' && item.label.brief)).toEqual([
    'localhost:3000',
    'long-long-long-long-lon…',
  ])
})

test.each<[name: string, events: EventView[], shown: string[]]>([
  ['a link without a call is a note', [created], ['note #1 Link created']],
  [
    'a refund takes the place of its call',
    [
      { ...about, type: 'refund.requested', amount: 40, full: false },
      call({ operation: 'refundPayment' }),
      { ...about, type: 'refund.approved', amount: 40, full: false },
    ],
    ['call #2 refundPayment | 200 ok', 'note #3 Refund approved €40.00'],
  ],
  [
    'a rejected call shows its code',
    [call({ operation: 'refundPayment', code: 0, message: 'Refund already requested' })],
    ['call #1 refundPayment | 200 · code 0 err'],
  ],
  [
    'with several targets, attempts name theirs',
    [
      attempted({ httpStatus: null, error: 'connect ECONNREFUSED' }),
      attempted({ deliveryId: 2, target: 'https://b.test/x' }),
    ],
    ['attempt #1 webhook localhost:3000 | no answer err', 'attempt #2 webhook b.test | 200 ok'],
  ],
  [
    'a held webhook is held, then allowed and sent',
    [
      { ...delivery, type: 'delivery.queued', assumed: [] },
      { ...delivery, type: 'delivery.held', host: 'shop.test', hostScope: 'public' },
      { ...delivery, type: 'delivery.allowed' },
      attempted(),
    ],
    [
      'attempt #2 webhook Success | held warn',
      'note #3 Webhook allowed once',
      'attempt #4 webhook Success | 200 ok',
    ],
  ],
  [
    'a queued webhook of which nothing else is known',
    [{ ...delivery, type: 'delivery.queued', assumed: [] }],
    ['attempt #1 webhook Success | queued warn'],
  ],
  [
    'a bank transfer of the operator is a note',
    [
      { ...about, type: 'bank_transfer.initiated', entryPoint: 'checkout' },
      { ...paid, method: 'bank-transfer' },
    ],
    ['step #1 starts transfer', 'note #2 Bank transfer approved €100.00'],
  ],
])('the diagram shows what happened to a payment: %s', (_name, events, shown) => {
  expect(lines(buildDiagram(inOrder(...events)))).toEqual(shown)
})

test('the diagram shows the time of the next attempt beside the last one', () => {
  const items = buildDiagram(inOrder(failing(1, 0, 30)))
  expect(items).toMatchObject([{ kind: 'attempt', nextAttemptAt: '2026-11-21T03:00:30.000Z' }])
})

test('items do not overlap, and each second is shown once', () => {
  const items = buildDiagram(retried)
  for (const width of [300, 358, 464, 900]) {
    const { placed, height, isCompact, x, width: used } = placeItems(items, width)
    expect(isCompact).toBe(width < 440)
    expect(x.app < x.sandbox && x.sandbox < x.customer && x.customer < x.receiver && x.receiver < used).toBe(
      true,
    )
    placed.slice(1).forEach((item, index) => {
      const before = placed[index]!
      expect(item.top).toBeGreaterThanOrEqual(before.top + before.height)
    })
    const last = placed.at(-1)!
    expect(height).toBeGreaterThan(last.top + last.height)
  }
  const { placed } = placeItems(items, 464)
  expect(placed.map(({ hasTime }) => hasTime)).toEqual([true, true, true, false, false, true, true])
})

test('the diagram marks webhooks with changed bytes, and names the path of another address on the same host', () => {
  const replay = { cause: 'replay', replayOf: 1, deliveryId: 2 } as const
  const items = buildDiagram(
    inOrder(
      attempted({ httpStatus: 500, state: 'failed' }),
      attempted({ ...replay, fault: createForgedMark('body') }),
      attempted({ ...replay, deliveryId: 3, target: 'http://localhost:3000/new' }),
      attempted({ cause: 'forged', deliveryId: 4, fault: createForgedMark('amount'), httpStatus: 400 }),
    ),
  )

  expect(lines(items)).toEqual([
    'attempt #1 webhook /hooks | 500 err',
    'attempt #2 changed replay /hooks | 200 plain',
    'attempt #3 replay /new | 200 ok',
    'attempt #4 forged webhook /hooks | 400 plain',
  ])
  expect(items.map((item) => item.kind === 'attempt' && item.label.brief)).toEqual([
    '/hooks',
    'changed',
    '/new',
    'forged',
  ])
  expect(items[1]!.sentence).toContain('Attempt 1 of the changed replay Success')
})

test('a diagram can be written as Mermaid', () => {
  const items = buildDiagram(retried, [moved(10, 48)])
  expect(toMermaid(items).split('\n')).toEqual([
    'sequenceDiagram',
    '    participant A as Your app',
    '    participant S as Sandbox',
    '    participant C as Customer',
    '    participant R as Receiver',
    '    A->>S: createLink',
    '    S-->>A: 200 · pay_id 1001',
    '    C->>S: opens checkout',
    '    C->>S: pays €64.00',
    '    S->>C: 302 to /thanks',
    '    S->>R: webhook Success',
    '    R-->>S: 302 to /login',
    '    Note over S: waits 30 s',
    '    S->>R: attempt 2',
    '    R-->>S: 302 to /login',
    '    Note over A,R: Clock moved forward by 48 min',
    '    S->>R: attempt 3',
    '    R-->>S: 302 to /login, gave up',
  ])
  const unanswered = buildDiagram(inOrder(attempted({ httpStatus: null, error: 'refused' })))
  expect(toMermaid(unanswered)).toBe(
    'sequenceDiagram\n    participant S as Sandbox\n    participant R as Receiver\n    S-xR: webhook Success: no answer',
  )
})

test.each([
  ['a;b', 'a#59;b'],
  ['#1 %% {x} <b>"`\\', '#35;1 #37;#37; #123;x#125; #60;b#62;#34;#96;#92;'],
  ['two\nlines\u0000\ttab', 'two lines tab'],
  ['the end of legend, End', 'the #101;nd of legend, #69;nd'],
  ['a: b -->> c', 'a: b --#62;#62; c'],
])('the text %j is escaped in Mermaid', (text, escaped) => {
  expect(escapeText(text)).toBe(escaped)
})

test.each<[title: string, events: EventView[], line: string, sentence: string]>([
  [
    'before a listener fetches it',
    [stored],
    'attempt #1 webhook Success | stored plain',
    'The webhook Success to http://localhost:3000/hooks is stored in tunnel flower-shop, because no listener was connected.',
  ],
  [
    'after a listener has fetched it',
    [stored, listenerAnswer()],
    'attempt #1 webhook Success | 201, fetched later ok',
    'The webhook Success to http://localhost:3000/hooks is stored in tunnel flower-shop, because no listener was connected. Later it is fetched by listener laptop, and your app answers: 201.',
  ],
])('the diagram shows a stored webhook %s', (_title, events, line, sentence) => {
  const items = buildDiagram(inOrder(...events))

  expect(lines(items)).toEqual([line])
  expect(items[0]!.sentence).toBe(sentence)
})
