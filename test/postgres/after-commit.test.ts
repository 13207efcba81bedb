import { describe, expect } from 'vitest'
import { openBehindProxy } from '../support/behind-proxy.ts'
import { shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

interface Change {
  readonly name: string
  readonly request: (id: number) => readonly [method: string, path: string, body?: object]
  /** The text of a statement that the unit of work sends. */
  readonly writes: string
  /** Prepares the sandbox for the change. */
  readonly prepare?: (sandbox: OpenSandbox, id: number) => Promise<unknown>
  readonly answer: object
}

const pay = ({ control }: OpenSandbox, id: number): Promise<unknown> => control('POST', `/links/${id}/pay`)

const ACCEPTED = { wait: 'accepted' }

const CHANGES: readonly Change[] = [
  {
    name: 'pay',
    request: (id) => ['POST', `/links/${id}/pay`, ACCEPTED],
    writes: 'update "link"',
    answer: { link: { status: 'paid' }, deliveries: [{ state: 'pending' }] },
  },
  {
    name: 'cancel',
    request: (id) => ['POST', `/links/${id}/cancel`, ACCEPTED],
    writes: 'update "link"',
    answer: { link: { status: 'cancelled' } },
  },
  {
    name: 'decline',
    request: (id) => ['POST', `/links/${id}/decline`],
    writes: 'insert into "event"',
    answer: { status: 'unused' },
  },
  {
    name: 'open a dispute',
    request: (id) => ['PUT', `/links/${id}/dispute`],
    writes: 'update "link"',
    prepare: pay,
    answer: { status: 'paid' },
  },
  {
    name: 'forge a webhook',
    request: (id) => ['POST', `/links/${id}/forged-webhook`, { forgery: 'amount', ...ACCEPTED }],
    writes: 'insert into "delivery"',
    prepare: pay,
    answer: { deliveries: [{ state: 'pending' }] },
  },
  {
    name: 'replay',
    request: () => ['POST', '/deliveries/1/replay', ACCEPTED],
    writes: 'insert into "delivery"',
    answer: { state: 'pending' },
  },
  {
    name: 'approve a refund',
    request: (id) => ['POST', `/refunds/${id}/approve`],
    writes: 'update "refund"',
    prepare: async (sandbox, id) => {
      await pay(sandbox, id)
      await sandbox.call('refundPayment', { pay_id: id, refund_amount: 1 })
    },
    answer: { state: 'approved' },
  },
  {
    name: 'replace the maps',
    request: () => ['PUT', '/maps', { maps: [{ from: 'https://a.example', to: 'https://b.example' }] }],
    writes: 'insert into "egressRule"',
    answer: { maps: [{ from: 'https://a.example', heldReason: null }], allowed: 0 },
  },
  {
    name: 'replace the allowed hosts',
    request: () => ['PUT', '/allowed-hosts', { allowedHosts: ['b.example'] }],
    writes: 'insert into "egressRule"',
    answer: { allowedHosts: ['b.example'], allowed: 0 },
  },
  {
    name: 'choose a behavior',
    request: () => ['PATCH', '/behaviors', { statusText: 'lowercase' }],
    writes: 'insert into "behavior"',
    answer: {
      behaviors: expect.arrayContaining([
        expect.objectContaining({ name: 'statusText', value: 'lowercase' }),
      ]),
    },
  },
  {
    name: 'add a seed',
    request: () => ['POST', '/seed', { links: [{ account: shop.name, amount: 5 }] }],
    writes: 'insert into "link"',
    answer: { links: [{ amount: 5 }] },
  },
]

test('a change is answered although the connection is lost right after its commit', async ({ receiver }) => {
  await using opened = await openBehindProxy()
  const { sandbox, proxy } = opened
  const untilReady = () =>
    expect.poll(async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)

  for (const { name, request, writes, prepare, answer } of CHANGES) {
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
    await prepare?.(sandbox, id)
    await sandbox.settled()

    const cut = proxy.cutAt('commit', 'close-answered', writes)
    const answered = await sandbox.rawControl(...request(id))
    await cut
    expect([name, answered]).toEqual([
      name,
      expect.objectContaining({ status: expect.toSatisfy((status: number) => status < 300) }),
    ])
    expect(answered.answer).toMatchObject(answer)
    proxy.open()
    await untilReady()
  }
})

describe.concurrent('a change that waits for its webhooks is answered although the database is gone', () => {
  test.for([
    ['a payment', undefined],
    ['a payment with a plan', 'webhook-first'],
  ])('%s', async ([, order], { receiver }) => {
    await using opened = await openBehindProxy()
    const { sandbox, proxy } = opened
    if (order !== undefined) await sandbox.control('PATCH', '/behaviors', { order })
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url, callback_url: receiver.url })

    const cut = proxy.cutAt('commit', 'close-answered', 'update "link"')
    const paid = sandbox.control('POST', `/links/${id}/pay`, { wait: 'settled' })
    await cut
    expect(await paid).toMatchObject({
      status: 200,
      answer: { link: { status: 'paid' }, deliveries: [{ state: 'pending' }] },
    })

    proxy.open()
    await receiver.count(1)
  })
})
