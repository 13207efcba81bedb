import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { callsOf, courier, NOON, openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

interface LoadedSeed {
  readonly accounts: readonly {
    readonly id: string
    readonly apiKey: string
    readonly paymentEndpoint: string
  }[]
  readonly links: readonly { readonly id: number; readonly payId: number; readonly payLink: string }[]
  readonly detail?: string
}

interface Events {
  readonly events: readonly { readonly seq: number; readonly type: string; readonly at: string }[]
}

const loadSeed = ({ rawControl }: Pick<OpenSandbox, 'rawControl'>, seed: unknown) =>
  rawControl<LoadedSeed>('POST', '/seed', seed)

const typesOf = async ({ rawControl }: OpenSandbox, path: string) =>
  (await rawControl<Events>('GET', path)).answer.events.map(({ type }) => type)

test('importing a seed adds accounts and links, and returns their keys and pay links', async ({
  sandbox,
}) => {
  const { status, answer } = await loadSeed(sandbox, {
    accounts: [{ name: 'Bakery', behaviors: { payId: 'distinct' } }],
    links: [{ account: 'Bakery', amount: 12.5, recipients: [{ account: 'Bike Courier', share: 30 }] }],
  })
  expect([status, answer]).toMatchObject([
    201,
    {
      accounts: [{ name: 'Bakery', apiKey: expect.stringMatching(/^dev/), serviceFee: '1.0' }],
      links: [
        { payLink: expect.stringContaining('/payment?link_id='), status: 'unused', payout: { owner: 8.75 } },
      ],
    },
  ])
  const [link] = answer.links
  expect(link!.payId).not.toBe(link!.id)
  expect((await fetch(link!.payLink)).status).toBe(200)
  const created = await sandbox.call('createLink', { amount: 1 }, { token: answer.accounts[0]!.apiKey })
  expect(created.envelope.ResponseCode).toBe(1)
  expect((await sandbox.control('GET', '/accounts')).answer.accounts).toHaveLength(5)
})

test('links are imported in any state, with their history and without webhooks', async ({ receiver }) => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  const given = { account: shop.id, amount: 100, paymentEndpoint: receiver.url }
  const { answer } = await loadSeed(sandbox, {
    links: [
      { ...given, id: 7, status: 'paid', paidBy: 'bank-transfer', paidAt: '2026-05-03T10:00:00+02:00' },
      { ...given, id: 8, status: 'paid', refund: { amount: 40, state: 'approved' } },
      { ...given, id: 9, status: 'paid', dispute: 'lost', createdAt: '2026-05-02T00:00:00Z' },
      { ...given, id: 10, status: 'awaiting-transfer' },
      { ...given, id: 11, status: 'cancelled' },
      { ...given, id: 12, status: 'deleted', payId: 4711 },
    ],
  })
  expect(answer.links.map(({ id, payId }) => [id, payId])).toEqual([
    [7, 7],
    [8, 8],
    [9, 9],
    [10, 10],
    [11, 11],
    [12, 4711],
  ])
  const story = (id: number) => typesOf(sandbox, `/events?link=${id}`)
  expect(await Promise.all([7, 8, 9, 10, 11, 12].map(story))).toEqual([
    ['link.created', 'bank_transfer.initiated', 'link.paid'],
    ['link.created', 'link.paid', 'refund.requested', 'refund.approved'],
    ['link.created', 'link.paid', 'dispute.opened', 'dispute.closed'],
    ['link.created', 'bank_transfer.initiated'],
    ['link.created', 'link.cancelled'],
    ['link.created', 'link.deleted'],
  ])
  // The events have the sequence and the times of the link's history.
  const { answer: journal } = await sandbox.control('GET', '/events?type=link.paid')
  expect(journal.events.map(({ at }) => at)).toEqual([
    '2026-05-02T00:00:00.000Z',
    '2026-05-03T08:00:00.000Z',
    NOON,
  ])
  await sandbox.settled()
  expect(receiver.received).toEqual([])
  expect((await sandbox.control('GET', '/refunds')).answer.refunds).toMatchObject([
    { amount: 40, state: 'approved' },
  ])
  expect((await sandbox.call('refundPayment', { pay_id: 8, refund_amount: 1 })).envelope.ResponseMsg).toBe(
    'Refund already requested',
  )
  // An imported link then behaves like any other link.
  await sandbox.control('POST', '/links/10/approve-transfer')
  expect(receiver.received).toMatchObject([{ pairs: { 'data[pay_id]': '10' } }])
})

test('a link created after imported links gets the next id whose pay_id is also free', async ({
  sandbox,
}) => {
  await loadSeed(sandbox, {
    links: [
      { account: shop.id, amount: 1 },
      { account: shop.id, amount: 1, id: 1001 },
      { account: shop.id, amount: 1, payId: 1004 },
    ],
  })
  expect((await sandbox.control('GET', '/links')).answer.links).toMatchObject([
    { id: 1003, payId: 1004 },
    { id: 1002, payId: 1002 },
    { id: 1001, payId: 1001 },
  ])
  expect([(await sandbox.createLink()).id, (await sandbox.createLink()).id]).toEqual([1005, 1006])
})

test.for<[what: string, seed: unknown, status: number, detail: string]>([
  [
    'an unknown key of an account',
    { accounts: [{ name: 'A', paymentEndpont: '' }] },
    400,
    'accounts[0].paymentEndpont: unknown key, did you mean paymentEndpoint?',
  ],
  [
    'an unknown key deep inside',
    { accounts: [{ name: 'A' }, { name: 'B', billing: { citty: 'Ulm' } }] },
    400,
    'accounts[1].billing.citty: unknown key, did you mean city?',
  ],
  [
    'an unknown key of a recipient',
    { links: [{ account: 'A', amount: 1, recipients: [{ account: 'B', shar: 3, share: 3 }] }] },
    400,
    'links[0].recipients[0].shar: unknown key, did you mean share?',
  ],
  ['an unknown key at the top', { acounts: [] }, 400, 'acounts: unknown key, did you mean accounts?'],
  [
    'an unknown behavior',
    { behaviors: { payid: 'same' } },
    400,
    'behaviors.payid: unknown key, did you mean payId?',
  ],
  [
    'an unknown value of a behavior',
    { accounts: [{ name: 'A', behaviors: { payId: 'other' } }] },
    400,
    'accounts[0].behaviors.payId: should be same or distinct',
  ],
  ['a list instead of a seed', [], 400, 'The seed: should be an object'],
  ['an account without a name', { accounts: [{}] }, 400, 'accounts[0].name: should be text, and is missing'],
  ['a name that is not text', { accounts: [{ name: 5 }] }, 400, 'accounts[0].name: should be text'],
  ['links that are not a list', { links: {} }, 400, 'links: should be a list'],
  [
    'an unknown status',
    { links: [{ account: 'A', amount: 5, status: 'payd' }] },
    400,
    'links[0].status: should be unused or awaiting-transfer or paid or cancelled or deleted, did you mean paid?',
  ],
  ['an id of 0', { links: [{ account: 'A', amount: 5, id: 0 }] }, 400, 'links[0].id: should be at least 1'],
  [
    'an offset beyond the clock',
    { clock: { offsetMs: 1e30 } },
    400,
    'clock.offsetMs: should be at most 9007199254740991',
  ],
  [
    'a duplicate key',
    {
      accounts: [
        { name: 'A', apiKey: 'devTheSameKey1' },
        { name: 'B', apiKey: 'devTheSameKey1' },
      ],
    },
    400,
    'accounts[1].apiKey: accounts[0] already has this apiKey',
  ],
  [
    'a duplicate name',
    { accounts: [{ name: 'A' }, { name: 'A' }] },
    400,
    'accounts[1].name: accounts[0] already has this name. Give each one a different id',
  ],
  [
    'a duplicate link id',
    {
      links: [
        { account: shop.id, amount: 1, id: 5 },
        { account: shop.id, amount: 1, id: 5 },
      ],
    },
    400,
    'links[1].id: links[0] already has this id',
  ],
  [
    'a third of a cent',
    { links: [{ account: shop.id, amount: 0.333 }] },
    400,
    'links[0].amount: should have at most two decimals',
  ],
  [
    'a time without a zone',
    { links: [{ account: shop.id, amount: 1, createdAt: '2026-05-01' }] },
    400,
    'links[0].createdAt: should be an ISO 8601 time with a time zone',
  ],
  [
    'a payment of an unpaid link',
    { links: [{ account: shop.id, amount: 1, paidAt: '2026-05-01T00:00:00Z' }] },
    400,
    'links[0].paidAt: only a paid link has this field, and this link is unused. Set status to paid',
  ],
  [
    'a refund of more than was paid',
    { links: [{ account: shop.id, amount: 1, status: 'paid', refund: { amount: 2 } }] },
    400,
    'links[0].refund.amount: should be at most the amount of the link',
  ],
  [
    'a clock with both a time and an offset',
    { clock: { now: '2026-05-01T00:00:00Z', offsetMs: 5 } },
    400,
    'clock.offsetMs: replaces now, and is only possible with a running clock',
  ],
  [
    'a month beyond the clock',
    { invoices: [{ account: shop.id, serviceMonth: '9999-12', platformFee: 1, pspFee: 1 }] },
    400,
    'invoices[0].serviceMonth: should be from 1970-01 to 9998-12',
  ],
  [
    'an unknown account',
    { links: [{ account: 'Flower Shopp', amount: 1 }] },
    422,
    'links[0].account: there is no account Flower Shopp, did you mean Flower Shop?',
  ],
  [
    'an unknown recipient',
    { links: [{ account: shop.id, amount: 1, recipients: [{ token: 'rcpNobody', share: 1 }] }] },
    422,
    'links[0].recipients[0].token: no account has the recipient token rcpNobody',
  ],
  [
    'an owner who is a recipient',
    { links: [{ account: shop.id, amount: 1, recipients: [{ token: shop.recipientToken, share: 1 }] }] },
    422,
    'links[0].recipients[0]: the owner of the link cannot be its recipient',
  ],
  [
    'shares above the amount',
    { links: [{ account: shop.id, amount: 1, recipients: [{ account: courier.name, share: 101 }] }] },
    422,
    'links[0].recipients: Share should be less than 100',
  ],
  [
    'a production account',
    { links: [{ account: 'Production Flower Shop', amount: 1 }] },
    422,
    'links[0].account: Production Flower Shop is a production account',
  ],
  [
    'an index past the end',
    { links: [{ account: shop.id, amount: 1, paymentEndpoint: '2' }] },
    422,
    "links[0].paymentEndpoint: payment_endpoint index 2 is out of range, the account's list has 2 entries",
  ],
  [
    'an invoice for an unknown account',
    { invoices: [{ account: 'Nobody', serviceMonth: '2026-01', platformFee: 1, pspFee: 1 }] },
    422,
    'invoices[0].account: there is no account Nobody',
  ],
  [
    'an id that is taken',
    { accounts: [{ name: 'A', id: shop.id }] },
    409,
    'accounts[0]: Another account already has this id',
  ],
  [
    'a key that is taken',
    { accounts: [{ name: 'A', apiKey: shop.apiKey }] },
    409,
    'accounts[0]: Another account already has this apiKey',
  ],
  [
    'a token that is taken',
    { accounts: [{ name: 'A', recipientToken: shop.recipientToken }] },
    409,
    'accounts[0]: Another account already has this recipientToken',
  ],
  [
    'a month that is already billed',
    { invoices: [{ account: shop.id, serviceMonth: '2026-01', platformFee: 1, pspFee: 1 }] },
    409,
    'invoices[0]: there is already an invoice of 2026-01 for account',
  ],
])(
  'a seed with %s is refused with the position of the mistake, and nothing is imported',
  async ([_what, seed, status, detail], { sandbox }) => {
    const before = (await sandbox.control('GET', '/info')).answer.counts
    const answer = await loadSeed(
      sandbox,
      Array.isArray(seed) ? seed : { ...(seed as object), $schema: './x.json' },
    )
    expect([answer.status, answer.answer.detail]).toEqual([status, expect.stringContaining(detail)])
    expect((await sandbox.control('GET', '/info')).answer.counts).toEqual(before)
  },
)

test('a seed is imported completely or not at all, clock and behaviors included', async ({ sandbox }) => {
  await sandbox.createLink()
  const before = (await sandbox.control('GET', '/seed')).answer
  const { status, answer } = await loadSeed(sandbox, {
    accounts: [{ name: 'Bakery' }],
    behaviors: { payId: 'distinct' },
    clock: { now: '2030-01-01T00:00:00Z', mode: 'frozen' },
    links: [
      { account: 'Bakery', amount: 1 },
      { account: 'Bakery', amount: 1, id: 1001 },
    ],
  })
  expect([status, answer.detail]).toEqual([409, 'links[1].id: another link already has the id 1001'])
  expect((await sandbox.control('GET', '/seed')).answer).toEqual(before)
})

test('every mistake of a seed is listed with its position', async ({ sandbox }) => {
  const { answer } = await sandbox.rawControl('POST', '/seed', {
    accounts: [{ nam: 'A' }, { name: '' }],
    clok: {},
  })
  expect(answer.errors).toMatchObject([
    { path: 'accounts[0].name' },
    { path: 'accounts[0].nam', message: 'unknown key, did you mean name?' },
    { path: 'accounts[1].name', message: 'should not be empty' },
    { path: 'clok', message: 'unknown key, did you mean clock?' },
  ])
})

test.for<[what: string, seed: unknown, message: string]>([
  [
    'in its entries',
    { links: Array.from({ length: 2_000 }, () => ({ recipients: Array.from({ length: 1_000 }, () => 0) })) },
    'links[0].account: ',
  ],
  [
    'in its keys',
    Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`accunts${index}`, 0])),
    'accunts0: unknown key',
  ],
])(
  'a seed full of mistakes %s is refused with the first ones',
  async ([_what, seed, message], { sandbox }) => {
    const { status, answer } = await sandbox.rawControl('POST', '/seed', seed)
    expect([status, (answer.errors as unknown[]).length]).toEqual([400, 20])
    expect(answer.detail).toContain(message)
    expect(answer.detail).toContain(' The first 20 mistakes are listed, and there are more.')
  },
)

test('a seed has at most a hundred thousand recipients', async ({ sandbox }) => {
  const recipients = Array.from({ length: 1_000 }, () => ({ account: 'A', share: 0.001 }))
  const links = Array.from({ length: 101 }, () => ({ account: 'A', amount: 1, recipients }))
  expect((await loadSeed(sandbox, { links })).answer.detail).toBe(
    'links: should have at most 100000 recipients together.',
  )
})

test('a seed may be larger than other bodies, and is refused beyond its own limit', async ({ sandbox }) => {
  const link = { account: shop.id, amount: 1, note: 'x'.repeat(4_000) }
  const { status, answer } = await loadSeed(sandbox, { links: Array.from({ length: 400 }, () => link) })
  expect([status, answer.links.length]).toEqual([201, 400])
  const many = await loadSeed(sandbox, {
    links: Array.from({ length: 10_001 }, () => ({ account: 'A', amount: 1 })),
  })
  expect([many.status, many.answer.detail]).toEqual([
    400,
    'links: should have at most 10000 links. A snapshot holds any number.',
  ])
  const vast = await loadSeed(sandbox, { links: [{ ...link, note: 'x'.repeat(33 * 2 ** 20) }] })
  expect([vast.status, vast.answer.detail]).toEqual([
    413,
    'The body is too large. It may have at most 32 MiB.',
  ])
})

test('a hundred tests import the same seed at once, each with its own accounts', async ({ sandbox }) => {
  const seed = {
    accounts: [{ name: 'Shop' }, { name: 'Rider' }],
    links: [{ account: 'Shop', amount: 10, status: 'paid', recipients: [{ account: 'Rider', share: 50 }] }],
  }
  const answers = await Promise.all(Array.from({ length: 100 }, () => loadSeed(sandbox, seed)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 201))
  expect(new Set(answers.map(({ answer }) => answer.accounts[0]!.apiKey)).size).toBe(100)
  const { answer } = await sandbox.control('GET', '/links?limit=1000')
  expect(answer.links).toHaveLength(100)
  expect(sandbox.problems).toEqual([])
})

test('a tunnel may be named by its full URL, and is stored as a path', async ({ sandbox }) => {
  const { answer } = await loadSeed(sandbox, {
    accounts: [{ name: 'Bakery', paymentEndpoint: `${sandbox.url}/tunnel/bakery` }],
  })
  expect(answer.accounts[0]!.paymentEndpoint).toBe(`${sandbox.url}/tunnel/bakery`)
  const exported = await sandbox.control('GET', `/seed?account=${answer.accounts[0]!.id}`)
  expect(exported.answer.accounts).toMatchObject([{ paymentEndpoint: '/tunnel/bakery' }])
})

test('the export of one account has its data, and the accounts that share in its links', async ({
  sandbox,
}) => {
  await sandbox.createLink()
  const { answer } = await sandbox.control('GET', `/seed?account=${shop.id}`)
  expect(answer).toEqual({
    accounts: [expect.objectContaining({ name: shop.name }), expect.objectContaining({ name: courier.name })],
    links: [expect.objectContaining({ account: shop.name })],
    invoices: Array.from({ length: 15 }, () => expect.objectContaining({ account: shop.name })),
  })
  const unknown = await sandbox.rawControl('GET', '/seed?account=nobody')
  expect([unknown.status, unknown.answer.detail]).toEqual([404, expect.stringContaining('no account nobody')])
})

test('imported payments are not billed again for past months', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  const month = '2026-09'
  await loadSeed(sandbox, {
    accounts: [{ name: 'Bakery' }],
    links: [
      { account: 'Bakery', amount: 100, status: 'paid', paidAt: '2026-09-10T10:00:00Z' },
      { account: 'Bakery', amount: 100, status: 'paid', paidAt: '2026-11-10T10:00:00Z' },
    ],
    invoices: [{ account: 'Bakery', serviceMonth: month, platformFee: 1, pspFee: 0.25 }],
    clock: { now: '2026-11-20T00:00:00Z', mode: 'frozen' },
  })
  const { answer } = await sandbox.control('POST', '/clock/advance', { to: 'next-month' })
  expect(answer.issued).toMatchObject([{ serviceMonth: '2026-11', platformFee: 1, pspFee: 0.25 }])
})

test('the served schema equals the shipped schema, and contains no address', async ({ sandbox }) => {
  const { answer } = await sandbox.control('GET', '/seed/schema')
  const shipped = readFileSync(new URL('../../dist/seed.schema.json', import.meta.url), 'utf8')
  expect(answer).toEqual(JSON.parse(shipped))
  expect(answer).not.toHaveProperty('$id')
  expect(answer).toMatchObject({
    additionalProperties: false,
    properties: {
      $schema: {},
      accounts: { items: { $ref: '#/definitions/SeedAccount' } },
      links: {},
      clock: {},
    },
    definitions: { SeedAccount: { required: ['name'] } },
  })
})

test('a reset returns to the startup seed, and deletes all later imports', async () => {
  const seed = {
    accounts: [{ name: 'Bakery' }],
    links: [{ account: 'Bakery', amount: 3, status: 'paid' as const }],
    behaviors: { payId: 'distinct', amountText: 'two-decimals' } as const,
    clock: { now: '2026-12-24T18:00:00+01:00', mode: 'frozen' as const },
  }
  await using sandbox = await openSandbox({ seed, behaviors: { payId: 'same' } })
  const first = (await sandbox.control('GET', '/seed')).answer
  expect(first).toMatchObject({
    accounts: [{ name: 'Bakery' }],
    links: [{ id: 1001, payId: 1001, status: 'paid', paidAt: '2026-12-24T17:00:00.000Z' }],
    behaviors: { amountText: 'two-decimals' },
    clock: { now: '2026-12-24T17:00:00.000Z', mode: 'frozen' },
  })
  await loadSeed(sandbox, { accounts: [{ name: 'Other' }], behaviors: { statusText: 'lowercase' } })
  await sandbox.control('POST', '/reset')
  expect((await sandbox.control('GET', '/seed')).answer).toEqual(first)
  expect(await typesOf(sandbox, '/events')).toEqual(['link.created', 'link.paid', 'sandbox.reset'])

  // The second reset keeps the snapshot of the first one, although the seed has added its events again.
  await sandbox.control('POST', '/reset')
  await sandbox.control('POST', '/reset/undo')
  expect((await sandbox.control('GET', '/accounts')).answer.accounts).toHaveLength(2)

  await sandbox.control('POST', '/reset', { to: 'empty' })
  expect((await sandbox.control('GET', '/seed')).answer).toMatchObject({
    accounts: [],
    links: [],
    behaviors: {},
  })
})

test('accounts of a seed have the same ids and keys at every start', async () => {
  const seed = { accounts: [{ name: 'Bakery' }, { name: 'Rider' }] }
  const accounts = async () => {
    await using sandbox = await openSandbox({ seed })
    return (await callsOf(sandbox.url).control('GET', '/accounts')).answer
  }
  expect(await accounts()).toEqual(await accounts())
})

test('links of a seed with numbers outside of the usual ranges do not change the next numbers', async () => {
  await using sandbox = await openSandbox()
  const far = 3_000_000_000
  for (const id of [5, far]) {
    const seed = { links: [{ account: shop.id, amount: 1, id, payId: id }] }
    expect((await loadSeed(sandbox, seed)).status).toBe(201)
  }

  expect(await sandbox.createLink()).toMatchObject({ id: 1001 })

  const again = { links: [{ account: shop.id, amount: 1, id: far }] }
  expect((await loadSeed(sandbox, again)).status).toBe(409)
})
