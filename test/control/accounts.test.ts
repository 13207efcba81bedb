import { expect } from 'vitest'
import { market, production, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const path = `/accounts/${shop.id}` as const

test('rotating an API key accepts the new key and rejects the old one', async ({ sandbox }) => {
  const { status, answer } = await sandbox.control('POST', `${path}/rotate`, {
    secret: 'apiKey',
  })

  expect([status, answer.apiKey, answer.recipientToken]).toEqual([
    200,
    expect.stringMatching(/^dev[0-9a-f]{32}$/),
    shop.recipientToken,
  ])
  const before = await sandbox.call('createLink', { amount: 1 })
  expect(before.envelope.ResponseMsg).toBe('Incorrect token or missing token')
  const after = await sandbox.call('createLink', { amount: 1 }, { token: answer.apiKey })
  expect(after.envelope).toMatchObject({ ResponseCode: 1, data: { user_id: shop.id } })
})

test('after a rotation, only the new recipient token identifies the account', async ({ sandbox }) => {
  const { answer } = await sandbox.control('POST', `/accounts/${market.id}/rotate`, {
    secret: 'recipientToken',
  })

  const share = (token: string) => sandbox.createLink({ recipients: [{ token, share: 10 }] })
  await expect(share(market.recipientToken)).rejects.toThrow('Invalid recipient token at index 0')
  expect((await share(answer.recipientToken)).status).toBe('Unused')
})

test('the API key of a production account starts with prod', async ({ sandbox }) => {
  const made = await sandbox.control('POST', '/accounts', { environment: 'production' })
  expect(made.answer.apiKey).toMatch(/^prod[0-9a-f]{32}$/)
})

test.for<[where: string, body: object, status: number, detail: string]>([
  ['unknown', { secret: 'apiKey' }, 404, 'There is no account unknown.'],
  [shop.id, {}, 400, 'secret in the body should '],
  [shop.id, { secret: 'name' }, 400, 'secret in the body should '],
])('rotating a secret of account %s with %j is refused', async ([id, body, status, detail], { sandbox }) => {
  const refused = await sandbox.rawControl('POST', `/accounts/${id}/rotate`, body)
  expect(refused).toMatchObject({ status, answer: { detail: expect.stringContaining(detail) } })
})

test('a tunnel may be named by its full URL, and is stored as a path', async ({ sandbox }) => {
  const { answer } = await sandbox.control('GET', path)
  expect(answer.paymentEndpoint).toBe(`${sandbox.url}/tunnel/flower-shop`)

  await sandbox.control('PATCH', path, { paymentEndpoint: answer.paymentEndpoint })

  expect((await sandbox.accounts())[0]).toMatchObject({ paymentEndpoint: '/tunnel/flower-shop' })
})

test.for([
  ['as a list', ['http://a.test/', 'http://b.test/']],
  ['as text with a comma', 'http://a.test/,http://b.test/'],
] as const)(
  'several payment endpoints %s are refused, with a hint to use webhookUrls',
  async ([_how, several], { sandbox }) => {
    const before = await sandbox.accounts()
    for (const [method, to] of [
      ['PATCH', path],
      ['POST', '/accounts'],
    ] as const) {
      const { status, answer } = await sandbox.rawControl(method, to, { paymentEndpoint: several })
      expect([status, answer.detail]).toEqual([
        400,
        expect.stringMatching(
          /paymentEndpoint in the body (?:is .* It )?should be one URL.*several belong in webhookUrls, and .* link refers to them by index/,
        ),
      ])
    }
    expect(await sandbox.accounts()).toEqual(before)
  },
)

test('an invalid list of URLs is refused, and the error names the entry', async ({ sandbox }) => {
  const webhookUrls = ['http://localhost:1/a', 'shop.test/hooks']
  const { status, answer } = await sandbox.rawControl('PATCH', path, { webhookUrls })
  expect([status, answer.errors]).toEqual([
    400,
    [{ path: 'webhookUrls.1', message: 'should be an absolute http or https URL' }],
  ])
})

test('invoices are listed for one account or for all', async ({ sandbox }) => {
  const owners = async (query: string) => {
    const { answer } = await sandbox.rawControl<{ invoices: { accountId: string }[] }>(
      'GET',
      `/invoices${query}`,
    )
    return new Set(answer.invoices.map(({ accountId }) => accountId))
  }
  expect(await owners(`?account=${shop.id}`)).toEqual(new Set([shop.id]))
  expect((await owners('')).size).toBe(2)
  expect((await owners(`?account=${production.id}`)).size).toBe(0)
})
