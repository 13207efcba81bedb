import fc from 'fast-check'
import { expect } from 'vitest'
import { openSandbox } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'
import { test } from '../support/test.ts'

const url = fc.constantFrom(
  'http://a.test/',
  'http://b.test/x,y',
  'https://c.test/?q=1,2',
  'http://d.test/#,0',
)
const note = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => text.isWellFormed())
const euros = (min: number, max: number) => fc.integer({ min, max }).map((cents) => cents / 100)
const moment = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const account = fc.record({
  callbackUrls: fc.array(url, { minLength: 1, maxLength: 3 }),
  webhookUrls: fc.array(url, { minLength: 1, maxLength: 3 }),
  paymentEndpoint: fc.constantFrom('', '/tunnel/shop', 'http://localhost:3000/hook'),
  bankTransfer: fc.boolean(),
  serviceFee: fc.constantFrom('1.0', '0', '2.75'),
  behaviors: maybe(
    fc.constantFrom({ payId: 'distinct' }, { rateLimit: '7/min', amountText: 'two-decimals' }, {}),
  ),
})

const standing = fc.oneof(
  fc.record({ status: fc.constantFrom('unused', 'awaiting-transfer', 'cancelled', 'deleted') }),
  fc.record({
    status: fc.constant('paid'),
    paidBy: maybe(fc.constantFrom('card', 'bank-transfer')),
    paidAt: maybe(moment),
    dispute: maybe(fc.constantFrom('open', 'won', 'lost')),
    refund: maybe(
      fc.record({ amount: maybe(euros(1, 101)), state: fc.constantFrom('pending', 'approved', 'rejected') }),
    ),
  }),
)

const link = fc.record({
  owner: fc.nat(),
  base: fc.record({
    amount: euros(101, 100_000_000),
    note: maybe(note),
    callbackUrl: maybe(fc.constantFrom('0', 'http://e.test/')),
    paymentEndpoint: maybe(fc.constantFrom('0', 'http://e.test/,0', '')),
    isQrLink: maybe(fc.boolean()),
    createdAt: maybe(moment),
    bankStatementDescription: maybe(note),
  }),
  shares: fc.array(fc.record({ to: fc.nat(), share: fc.double({ min: 0.001, max: 33, noNaN: true }) }), {
    maxLength: 3,
  }),
  splitType: maybe(fc.constant('normal')),
  standing,
})

const plan = fc.record({
  accounts: fc.array(account, { minLength: 2, maxLength: 4 }),
  links: fc.array(link, { maxLength: 8 }),
  invoices: fc.uniqueArray(fc.record({ of: fc.nat(1), month: fc.integer({ min: 1, max: 12 }) }), {
    maxLength: 6,
    selector: ({ of, month }) => `${of} ${month}`,
  }),
  behaviors: fc.constantFrom({}, { payId: 'distinct' }, { statusText: 'lowercase' }),
  clock: fc.constantFrom(
    undefined,
    { now: '2026-11-30T22:00:00Z', mode: 'frozen' },
    { now: '2027-03-01T00:00:00Z' },
    { offsetMs: -86_400_000 },
    { offsetMs: 253_000_000_000_000 },
  ),
  /** Two accounts may have the same name, and the name of an account may be the id of another. */
  names: fc.constantFrom(
    ['A', 'B', 'C', 'D'],
    ['A', 'A', 'B', 'B'],
    ['A', '00000000-0000-4000-8000-000000000000', 'B', 'C'],
  ),
})

const idOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`

function seedOf({ accounts, links, invoices, names, ...rest }: ReturnType<typeof plan.generate>['value']) {
  const count = accounts.length
  return {
    ...rest,
    accounts: accounts.map((given, index) => ({ ...given, id: idOf(index), name: names[index] })),
    links: links.map(({ owner, base, shares, splitType, standing: stands }) => ({
      account: idOf(owner % count),
      ...base,
      ...stands,
      ...(shares.length > 0 && { splitType }),
      recipients: shares.map(({ to, share }) => ({
        account: idOf(to % count === owner % count ? (to + 1) % count : to % count),
        share,
      })),
    })),
    invoices: invoices.map(({ of, month }) => ({
      account: idOf(of % count),
      serviceMonth: `2025-${String(month).padStart(2, '0')}`,
      platformFee: month,
      pspFee: 0.25,
    })),
  }
}

test('a seed that is exported, imported into an empty sandbox and exported again stays the same', async () => {
  await using sandbox = await openSandbox({ now: () => new Date('2026-07-01T10:00:00.000Z') })
  const { control, rawControl } = sandbox
  const loadSeed = async (seed: unknown) => {
    await control('POST', '/reset', { to: 'empty' })
    const { status, answer } = await rawControl('POST', '/seed', seed)
    expect([status, answer.detail]).toEqual([201, undefined])
  }
  const exported = async () => (await control('GET', '/seed')).answer

  await fc.assert(
    fc.asyncProperty(plan, fc.boolean(), async (planned, isChanged) => {
      await loadSeed(seedOf(planned))
      if (isChanged) {
        // An account may have changed since its links were made.
        await control('PATCH', `/accounts/${idOf(0)}`, { name: 'Z', callbackUrls: [], serviceFee: '3.3' })
        await control('PATCH', `/accounts/${idOf(1)}`, {
          webhookUrls: ['http://f.test/'],
          billing: { city: 'Ulm' },
        })
        await control('POST', `/accounts/${idOf(1)}/rotate`, { secret: 'recipientToken' })
        await control('PATCH', `/behaviors?account=${idOf(0)}`, { errorStatus: 'http' })
      }
      const first = await exported()
      await loadSeed(first)
      expect(await exported()).toEqual(first)

      const { answer: part } = await control('GET', `/seed?account=${idOf(0)}`)
      await loadSeed(part)
      expect((await control('GET', `/seed?account=${idOf(0)}`)).answer).toEqual(part)
    }),
    { numRuns: sized({ full: 40, small: 10 }) },
  )
  expect(sandbox.problems).toEqual([])
})

test('the export has everything that happened, and imported links have the state of the original links', async ({
  sandbox,
}) => {
  const { control, rawControl, createLink } = sandbox
  for (let links = 0; links < 6; links++)
    await createLink({ callback_url: '1', payment_endpoint: '1,http://x.test/' })
  await control('POST', '/links/1001/pay', { wait: 'accepted' })
  await control('PUT', '/links/1001/dispute')
  await control('POST', '/links/1002/pay', { method: 'bank-transfer', wait: 'accepted' })
  await control('POST', '/links/1003/cancel', { wait: 'accepted' })
  await control('DELETE', '/links/1004')
  await control('POST', '/links/1005/pay', { wait: 'accepted' })
  await sandbox.call('refundPayment', { pay_id: 1005, refund_amount: 40 })
  await control('POST', '/refunds/1005/approve')
  await sandbox.settled()

  const kept = async (path: string) => JSON.stringify((await rawControl('GET', path)).answer)
  const paths = ['/accounts', '/links', '/refunds', '/invoices', '/seed']
  const before = await Promise.all(paths.map(kept))
  const { answer: seed } = await control('GET', '/seed')
  await control('POST', '/reset', { to: 'empty' })
  expect((await control('POST', '/seed', seed)).status).toBe(201)
  expect(await Promise.all(paths.map(kept))).toEqual(before)
  expect((await control('GET', '/info')).answer.counts).toMatchObject({ deliveries: 0, links: 6 })
})
