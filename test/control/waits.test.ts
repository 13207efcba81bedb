import { expect } from 'vitest'
import { createLinkFor, createAccount, type CreatedAccount } from '../support/account.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

interface Problem {
  readonly detail: string
  readonly matched: number
  readonly looked: number
  readonly nearest: readonly object[]
  readonly found: readonly object[]
  readonly count: number
  readonly deliveries: readonly { readonly id: number }[]
  readonly events: readonly object[]
}

const wait = ({ rawControl }: OpenSandbox, body: object) => rawControl<Problem>('POST', '/events/wait', body)
const expectNone = ({ rawControl }: OpenSandbox, body: object) =>
  rawControl<Problem>('POST', '/events/expect-none', body)
const settle = ({ rawControl }: OpenSandbox, body: object) => rawControl<Problem>('POST', '/settle', body)

/** Opens a sandbox with two accounts and one receiver, which answers when the test says so. */
async function openTwoAccounts() {
  const held: (() => void)[] = []
  const receiver = await startReceiver((_received, response) => held.push(() => response.end()))
  // A busy machine may need longer for a test than the default.
  const sandbox = await openSandbox({ deliveryTimeoutMs: 120_000 })
  const make = (name: string, path: string) =>
    createAccount(sandbox, { name, paymentEndpoint: `${receiver.origin}/${path}` })
  return {
    sandbox,
    receiver,
    mine: await make('mine', 'mine'),
    theirs: await make('theirs', 'theirs'),
    /** Answers the requests that wait at the receiver. */
    answer: () => held.splice(0).forEach((end) => end()),
    async pay(account: CreatedAccount) {
      const link = await createLinkFor(sandbox, account)
      await sandbox.control('POST', `/links/${link.id}/pay`, { wait: 'accepted' })
      return link
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

test("a wait for an account's events ignores events of other accounts", async () => {
  await using two = await openTwoAccounts()
  const { sandbox, mine, theirs } = two
  const match = { type: 'link.paid' }
  await two.pay(theirs)
  const waiting = wait(sandbox, { match, account: mine.id, timeoutMs: 20_000 })
  await two.pay(theirs)
  const link = await two.pay(mine)

  expect((await waiting).answer.events).toMatchObject([{ accountId: mine.id, linkId: link.id }])
  const vain = await wait(sandbox, { match, account: mine.id, count: 2, timeoutMs: 0 })
  expect(vain).toMatchObject({ status: 408, answer: { matched: 1, count: 2 } })
  expect(vain.answer.nearest).not.toContainEqual(
    expect.objectContaining({ event: expect.objectContaining({ accountId: theirs.id }) }),
  )
})

test('a wait for an account starts over when this account is reset, but not when another account is reset', async () => {
  await using two = await openTwoAccounts()
  const { sandbox, mine, theirs } = two
  await two.pay(mine)
  let isOn = true
  const waiting = wait(sandbox, {
    match: { type: 'link.paid' },
    account: mine.id,
    count: 2,
    timeoutMs: 20_000,
  }).finally(() => (isOn = false))

  await sandbox.control('POST', `/accounts/${mine.id}/reset`)
  await sandbox.control('POST', `/accounts/${theirs.id}/reset`)
  await two.pay(mine)
  // The reset deleted the first event, so the account has only one.
  expect((await wait(sandbox, { match: { type: 'link.paid' }, account: mine.id })).status).toBe(200)
  expect(isOn).toBe(true)
  const second = await two.pay(mine)

  expect((await waiting).answer.events).toMatchObject([{ linkId: second.id - 1 }, { linkId: second.id }])
})

test('a wait that times out first lists the event of its type that came closest to a match, with the differences', async () => {
  await using two = await openTwoAccounts()
  const { sandbox, mine } = two
  const link = await two.pay(mine)
  const { status, answer } = await wait(sandbox, {
    match: { type: 'link.paid', payId: 7, method: 'bank-transfer', entryPoint: 'api' },
    account: mine.id,
    timeoutMs: 0,
  })

  expect(status).toBe(408)
  expect(answer).toMatchObject({
    title: 'Request Timeout',
    matched: 0,
    count: 1,
    looked: 5,
    nearest: [
      {
        event: { type: 'link.paid', seq: expect.any(Number) },
        differences: [
          { key: 'payId', wanted: 7, found: link.id },
          { key: 'method', wanted: 'bank-transfer', found: 'card' },
          { key: 'entryPoint', wanted: 'api', found: 'control' },
        ],
      },
      {},
      {},
    ],
  })
  expect(answer.detail).toMatch(
    /^No event matched \{.*\} within 0 ms\. 5 events of the account were checked\. The closest is event \d+, link\.paid: payId is \d+, not 7; method is "card", not "bank-transfer"; entryPoint is "control", not "api"\.$/,
  )
})

test.for<[match: object, detail: string]>([
  [
    { type: 'refund.approved' },
    'None of them is refund.approved. The closest events are listed with their differences.',
  ],
  [{ type: 'link.created', link: { notes: 'Order 7' } }, 'it has no link.notes, did you mean note.'],
  [{ type: 'link.created', link: { id: { of: 1 } } }, 'not {"of":1}.'],
])('the error of a wait that times out for %j explains this: %s', async ([match, detail], { sandbox }) => {
  await sandbox.createLink()
  const { status, answer } = await wait(sandbox, { match, timeoutMs: 0 })
  expect([status, answer.detail]).toEqual([408, expect.stringContaining(detail)])
})

test.for(['wait', 'expect-none'])(
  'the route %s refuses at once a match that no event can satisfy',
  async (path, { sandbox }) => {
    const refused: [body: object, status: number, detail: string][] = [
      [{}, 400, 'The match is empty, so any event would match'],
      [{ match: { type: 'link.payed' } }, 400, 'There is no event type link.payed, did you mean link.paid?'],
      [
        { match: { type: ['link.paid'] } },
        400,
        'type in match is ["link.paid"]. It should be one event type, like',
      ],
      [
        { match: { type: 'link.paid', payid: 7 } },
        400,
        'No event of type link.paid has a key payid, did you mean payId? It has seq, at, type,',
      ],
      [{ match: { acount: 'x' } }, 400, 'No event has a key acount, did you mean amount? There are seq, at,'],
      [
        { match: { type: 'link.paid' }, accounts: 'x' },
        400,
        'has the unknown key accounts, did you mean account?',
      ],
      [{ match: { type: 'link.paid' }, account: 'x' }, 404, 'There is no account x.'],
      [
        { match: { type: 'link.paid' }, timeoutMs: '5s' },
        400,
        'timeoutMs in the body is "5s". It should be a whole number from 0 to 60000',
      ],
    ]
    for (const [body, status, detail] of refused) {
      const { answer } = await sandbox.rawControl('POST', `/events/${path}`, body)
      expect(answer).toMatchObject({ status, detail: expect.stringContaining(detail) })
    }
  },
)

test('expect-none waits until all deliveries have ended', async () => {
  await using two = await openTwoAccounts()
  const { sandbox, receiver, mine } = two
  await two.pay(mine)
  await receiver.count(1)
  const match = { type: 'delivery.attempted', state: 'failed' }
  const early = await expectNone(sandbox, { match, account: mine.id, timeoutMs: 0 })
  expect(early).toMatchObject({ status: 408, answer: { deliveries: [{ id: 1 }] } })
  expect(early.answer.detail).toBe(
    `No event matches {"type":"delivery.attempted","state":"failed"} so far, but a delivery has not settled after 0 ms: delivery 1 is underway to ${receiver.origin}/mine.`,
  )

  const waiting = expectNone(sandbox, { match, account: mine.id, timeoutMs: 20_000 })
  two.answer()
  expect(await waiting).toMatchObject({ status: 200, answer: { looked: 6 } })
})

test('expect-none fails as soon as an event matches, even while a delivery is being sent', async () => {
  await using two = await openTwoAccounts()
  const { sandbox, receiver, mine, theirs } = two
  await two.pay(mine)
  await receiver.count(1)
  const match = { type: 'link.paid' }

  const mined = await expectNone(sandbox, { match, account: mine.id, timeoutMs: 60_000 })
  expect(mined).toMatchObject({ status: 409, answer: { found: [{ type: 'link.paid' }] } })
  expect(mined.answer.detail).toMatch(
    /^An event matches \{"type":"link.paid"\}, but none should: event \d+, link\.paid\.$/,
  )
  expect((await expectNone(sandbox, { match, account: theirs.id })).status).toBe(200)
})

test('expect-none also finds past events, from a given seq on', async () => {
  await using two = await openTwoAccounts()
  const { sandbox, receiver, mine } = two
  await two.pay(mine)
  await receiver.count(1)
  const match = { type: 'delivery.attempted' }
  const waiting = expectNone(sandbox, { match, account: mine.id, timeoutMs: 20_000 })
  two.answer()

  const { status, answer } = await waiting
  expect([status, answer.found]).toEqual([409, [expect.objectContaining({ state: 'delivered' })]])
  const { seq } = answer.found[0] as { seq: number }
  expect((await expectNone(sandbox, { match, account: mine.id, after: seq })).status).toBe(200)
})

test('an account settles independently of other accounts', async () => {
  await using two = await openTwoAccounts()
  const { sandbox, receiver, mine, theirs } = two
  await two.pay(mine)
  await receiver.count(1)
  const settling = settle(sandbox, { account: mine.id, timeoutMs: 20_000 })
  two.answer()
  expect(await settling).toMatchObject({
    status: 200,
    answer: { deliveries: 1, delivered: 1, stored: 0, failed: 0, held: 0, pending: 0 },
  })

  await two.pay(theirs)
  await receiver.count(2)
  expect((await settle(sandbox, { account: mine.id, timeoutMs: 0 })).status).toBe(200)
  const all = await settle(sandbox, { timeoutMs: 0 })
  expect(all).toMatchObject({
    status: 408,
    answer: {
      title: 'Request Timeout',
      detail: `A delivery has not settled after 0 ms: delivery 2 is underway to ${receiver.origin}/theirs.`,
      deliveries: [{ id: 2, accountId: theirs.id }],
    },
  })
})

test('settle returns at once if nothing is pending, and refuses an unknown account', async ({ sandbox }) => {
  expect((await settle(sandbox, {})).answer).toEqual({
    deliveries: 0,
    delivered: 0,
    stored: 0,
    failed: 0,
    held: 0,
    pending: 0,
  })
  expect((await settle(sandbox, { account: 'x' })).status).toBe(404)
  expect((await settle(sandbox, { acount: 'x' })).answer.detail).toContain('did you mean account?')
})

test.each(['reset', 'delete'])('a wait ends when its account is removed by %s', async (how) => {
  await using two = await openTwoAccounts()
  const { sandbox, receiver, mine } = two
  await two.pay(mine)
  await receiver.count(1)
  const path = `/accounts/${mine.id}` as const
  const settling = settle(sandbox, { account: mine.id, timeoutMs: 20_000 })
  const none = expectNone(sandbox, {
    match: { type: 'delivery.attempted' },
    account: mine.id,
    timeoutMs: 20_000,
  })
  // Both waits have been accepted.
  expect((await settle(sandbox, { account: mine.id, timeoutMs: 0 })).status).toBe(408)

  await sandbox.control('POST', `${path}/reset`)
  if (how === 'delete') await sandbox.control('DELETE', path)
  expect((await settling).answer).toMatchObject({ deliveries: 0 })
  expect((await none).status).toBe(200)
})

test('a wait finds every event by all of its values, and by parts of its lists and objects', async ({
  sandbox,
}) => {
  await sandbox.control('POST', '/seed/sample-story', {})
  const { answer } = await sandbox.control('GET', '/events?limit=1000')

  for (const event of answer.events) {
    expect((await wait(sandbox, { match: event, timeoutMs: 0 })).answer.events).toEqual([event])
    const [type, parts] = [
      Reflect.get(event, 'type'),
      Object.entries(event).filter(([, value]) => isPart(value)),
    ]
    for (const [key, value] of parts) {
      const found = await wait(sandbox, { match: { type, [key]: value }, count: 1, timeoutMs: 0 })
      expect(found.answer.events).toMatchObject([{ type, [key]: value }])
    }
  }
  const other = await wait(sandbox, { match: { assumed: ['no such point'] }, timeoutMs: 0 })
  expect(other.answer.matched).toBe(0)
})

const isPart = (value: unknown): boolean => typeof value === 'object' && value !== null

test('expect-none lists the first twenty matches and stops reading there', async ({ sandbox }) => {
  for (let calls = 0; calls < 501; calls++) await fetch(`${sandbox.url}/tunnel/x`)
  const { status, answer } = await expectNone(sandbox, { match: { type: 'tunnel.captured' } })

  expect([status, answer.found.length]).toEqual([409, 20])
  expect(answer.count).toBeLessThan(501)
  expect(answer.detail).toContain(
    `${answer.count} events match {"type":"tunnel.captured"} among the first ${answer.looked},`,
  )
  expect(answer.detail).toMatch(new RegExp(`; ${answer.count - 5} more\\.$`))
})

test('settle lists the oldest hundred pending deliveries, and counts all pending deliveries', async () => {
  await using two = await openTwoAccounts()
  const { sandbox, receiver, mine } = two
  await two.pay(mine)
  await receiver.count(1)
  for (let more = 0; more < 100; more++) {
    await sandbox.control('POST', '/deliveries/1/replay', { wait: 'accepted' })
  }

  const match = { type: 'refund.approved' }
  for (const { status, answer } of [
    await settle(sandbox, { timeoutMs: 0 }),
    await expectNone(sandbox, { match, account: mine.id, timeoutMs: 0 }),
  ]) {
    expect([status, answer.count]).toEqual([408, 101])
    expect(answer.deliveries).toHaveLength(100)
    expect(answer.detail).toMatch(/101 deliveries have not settled after 0 ms: .*; 96 more\.$/)
  }
})
