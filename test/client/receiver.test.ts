import { expect, test } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'

test('receiver: returns webhooks oldest first, with the form decoded', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()

  const first = await shop.createLink({ amount: 10.5, note: 'Ä & =' })
  const second = await shop.createLink({ amount: 2 })
  await shop.pay(first)
  await shop.pay(second)

  expect((await webhooks.next()).form).toMatchObject({
    ResponseCode: '1',
    'data[pay_id]': String(first.id),
    'data[note]': 'Ä & =',
    'data[amount]': '10.5',
    'data[user_id]': shop.id,
    'data[status]': 'Success',
  })
  expect(await webhooks.next()).toMatchObject({
    method: 'POST',
    path: '/webhook',
    contentType: 'application/x-www-form-urlencoded',
    payload: { ResponseCode: '1', data: { pay_id: String(second.id), amount: '2' } },
  })
})

test('receiver: decodes JSON bodies', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount({ behaviors: { webhookEncoding: 'json' } })
  const webhooks = await shop.receiver()
  const link = await shop.createLink({ amount: 3 })

  await shop.pay(link)

  expect(await webhooks.next()).toMatchObject({
    form: {},
    payload: { ResponseCode: 1, data: { pay_id: link.id, status: 'Success' } },
  })
})

test('receiver: the first wait gets the first webhook', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()
  const both = Promise.all([webhooks.next(), webhooks.next()])
  const [one, two] = [await shop.createLink({ amount: 1 }), await shop.createLink({ amount: 2 })]

  await shop.pay(one)
  await shop.pay(two)

  expect((await both).map(({ form }) => form['data[amount]'])).toEqual(['1', '2'])
})

test('receiver: replies as configured, and repeats the last reply', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()
  webhooks.reply(500, { status: 302, headers: { location: '/login' } }, ({ body }) => ({ body }))
  const pay = async () => (await shop.pay(await shop.createLink({ amount: 1 }))).deliveries[0]!

  expect(await pay()).toMatchObject({ state: 'failed', attempts: [{ status: 500 }] })
  expect(await pay()).toMatchObject({ state: 'failed', attempts: [{ status: 302 }] })
  const { id } = await pay()
  const echoed = await shop.delivery(id)
  expect(echoed.attempts[0]?.exchange?.response?.body.content).toBe(echoed.body)
  expect(await pay()).toMatchObject({ state: 'delivered' })
})

test('receiver: a wait that times out reports what happened to the webhooks', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()

  await expect(webhooks.next({ timeoutMs: 1 })).rejects.toThrow('No webhook was sent')

  await shop.pay(await shop.createLink({ amount: 1, paymentEndpoint: 'https://shop.example/hook' }))
  await expect(webhooks.next({ timeoutMs: 1 })).rejects.toThrow(
    /No webhook reached http:\/\/127\.0\.0\.1:\d+\/webhook within 1 ms[^]*#1 Success of link \d+, to https:\/\/shop\.example\/hook: held, /,
  )
})

test('receiver: can be closed twice, and frees its port', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const { url, close } = await shop.receiver()
  await close()
  await close()

  const port = Number(new URL(url).port)
  expect((await shop.receiver({ port })).url).toBe(url)
})

test('receiver: an assertion that fails in a reply fails the test', async () => {
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()
  const webhooks = await shop.receiver()
  webhooks.reply(() => {
    throw new Error('That is not 999')
  })

  const { deliveries } = await shop.pay(await shop.createLink({ amount: 5 }))

  expect(deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 500 }] }])
  await expect(webhooks.close()).rejects.toThrow('That is not 999')
})

test('receiver: a wait fails if the receiver or the sandbox is closed', async () => {
  const sandbox = await startSandbox()
  const webhooks = await sandbox.receiver()
  const awaited = webhooks.next().catch(String)
  await sandbox.close()

  expect(await awaited).toBe(
    `Error: The receiver at ${webhooks.url} was closed while next() waited for a webhook.`,
  )
})

test('receiver: its URL is an address to connect to, even if the receiver listens on 0.0.0.0', async () => {
  await using sandbox = await startSandbox()

  await expect(sandbox.receiver({ path: 'hook' })).rejects.toThrow('must begin with /')
  expect((await sandbox.receiver({ host: '0.0.0.0' })).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook$/)
  expect((await sandbox.receiver({ origin: 'http://shop.test/' })).url).toBe('http://shop.test/webhook')
})
