import { expect } from 'vitest'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import { Shop, startShop } from '../../fixtures/laboratory/shop.ts'
import { test } from '../support/test.ts'

const ORDER_BODY = '{"order":"{order}","amount":{amount},"note":"{note}"}'

test('the receiver check names a wrong refund URL', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    { addRoutes: (app) => app.post('/refunds/:key', (c) => c.redirect('/login', 307)) },
  )
  const refundUrl = `${shop.url}/refunds/{order}`

  const checked = handle.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: ORDER_BODY,
    stateUrl: shop.stateUrl,
    refundUrl,
  })

  await expect(checked).rejects.toThrow(/answered 307, a redirect to \/login\. Correct --refund-url\.$/)
})

test('the caller check suggests the state that means paid', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey })

  const checked = handle.checkCaller(shop.orderUrl, { stateUrl: shop.stateUrl, paidValue: 'completed' })

  await expect(checked).rejects.toThrow('If "paid" means paid, pass --paid-value paid.')
})

test('the caller check names a state URL that cannot be read', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    { showState: async (c) => c.redirect('/login') },
  )

  const checked = handle.checkCaller(shop.orderUrl, { stateUrl: shop.stateUrl })

  await expect(checked).rejects.toThrow(/answered 302\. Correct --state-url\.$/)
})

test('a quick receiver check also names a wrong refund URL', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey })
  const { orderUrl, stateUrl, url } = shop

  const checked = handle.check(shop.receiver, {
    quick: true,
    orderUrl,
    orderBody: ORDER_BODY,
    stateUrl,
    refundUrl: `${url}/refunds/{order}`,
  })

  await expect(checked).rejects.toThrow(/answered 404\. Correct --refund-url\.$/)
})

test('the receiver check says why the service refused the refund of its first order', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  const callWith = (key: string, operation: string, body: object): Promise<Response> =>
    Shop.prototype.call.call({ service: { url: sandbox.url, apiKey: key } } as Shop, operation, body)
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    {
      call: (operation, body) =>
        callWith(operation === 'refundPayment' ? 'another key' : apiKey, operation, body),
    },
  )
  const { orderUrl, stateUrl, refundUrl } = shop
  const options = { orderUrl, orderBody: ORDER_BODY, stateUrl, refundUrl }

  await expect(handle.check(shop.receiver, options)).rejects.toThrow(
    /the service refused the call of refundPayment for the refund of an order: "Incorrect token or missing token"\. Give your app the API key /,
  )
})

test('a case about refunds says why the service refused the call', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    {
      call(operation, body) {
        const sent = operation === 'refundPayment' ? { refund_amount: 1 } : body
        return Shop.prototype.call.call(this, operation, sent)
      },
    },
  )
  const { orderUrl, stateUrl, refundUrl } = shop

  const { results } = await handle.check(shop.receiver, {
    orderUrl,
    orderBody: ORDER_BODY,
    stateUrl,
    refundUrl,
    only: ['success-after-refund', 'refund-clicked-twice'],
  })

  const seen =
    'the app called refundPayment without the pay_id of a payment, and the service refused the call: "Please enter pay_id"'
  expect(results).toMatchObject([
    { problem: 'wrong-refund', seen },
    { problem: 'wrong-refund', seen },
  ])
})

test('both checks say which call the service refused, and what to do', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  await using shop = await startShop({ url: sandbox.url, apiKey: 'unknown' })
  const options = { orderUrl: shop.orderUrl, orderBody: ORDER_BODY, stateUrl: shop.stateUrl }

  const message =
    /refused the call of createLink .*: "Incorrect token or missing token"\. Give your app the API key /
  await expect(handle.check(shop.receiver, options)).rejects.toThrow(message)
  await expect(handle.checkCaller(shop.orderUrl, { orderBody: ORDER_BODY })).rejects.toThrow(message)
})

test('a refused call is named however the app writes the note of the order', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const escaped = (text: string): string =>
    [...text].map((sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`).join('')
  for (const write of [
    (note: string) => `{"recipient_note":"${escaped(note)}"}`,
    (note: string) => JSON.stringify({ callback_url: `/${encodeURIComponent(note)}` }),
  ]) {
    await using shop = await startShop(
      { url: sandbox.url, apiKey: 'unknown' },
      {
        call: (operation, body) =>
          fetch(`${sandbox.url}/api/v2/${operation}`, {
            method: 'POST',
            headers: { token: 'unknown' },
            body: write((body as { recipient_note: string }).recipient_note),
          }),
      },
    )
    await expect(handle.checkCaller(shop.orderUrl, { orderBody: ORDER_BODY })).rejects.toThrow(
      'the service refused the call of createLink',
    )
  }
})

test('both checks say nothing about refused calls of other apps', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    {
      async placeOrder(c) {
        await fetch(`${sandbox.url}/api/v2/createLink`, {
          method: 'POST',
          headers: { token: 'other' },
          body: '{}',
        })
        return c.text('Sorry', 503)
      },
    },
  )
  const options = { orderUrl: shop.orderUrl, orderBody: ORDER_BODY, stateUrl: shop.stateUrl }

  await expect(handle.check(shop.receiver, options)).rejects.toThrow('answered 503 "Sorry"')
  await expect(handle.checkCaller(shop.orderUrl, options)).rejects.toThrow('created no payment link')
})

test('both checks name the rate limit that the calls of the app exceed', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey, behaviors } = await handle.createAccount()
  await behaviors.set({ rateLimit: '1/min' })
  await using shop = await startShop({ url: sandbox.url, apiKey })
  const options = { orderUrl: shop.orderUrl, orderBody: ORDER_BODY, stateUrl: shop.stateUrl }
  await shop.shop.call('createLink', { amount: 1 })

  await expect(handle.checkCaller(shop.orderUrl, options)).rejects.toThrow(
    'for the order: "Too many requests, the limit is 1/min". Wait a minute',
  )
})

test('the receiver check refuses a list without amounts as the refunded amount', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    { showState: async (c) => c.json({ status: 'new', refunds: ['none'] }) },
  )

  const checked = handle.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: ORDER_BODY,
    stateUrl: shop.stateUrl,
    refundedPointer: '/refunds',
  })

  await expect(checked).rejects.toThrow(
    /has no number at \/refunds: .*Correct --refunded-pointer, or call the amount of each entry amount, total, value, sum, price or euros\./,
  )
})

test('the receiver check says so if an app asks the service for each webhook again, and refuses unknown payments', async ({
  sandbox,
}) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  const asked = new Set<unknown>()
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    {
      async receive(c) {
        const type = c.req.header('content-type') ?? ''
        const { pay_id: payId } = this.readNotification(type, await c.req.text())
        if (asked.has(payId)) return Shop.prototype.receive.call(this, c)
        asked.add(payId)
        const answer = await this.call('sendWebhookViaPayId', { pay_ids: String(payId), status: 'Success' })
        if (this.isDone((await answer.json()) as object)) return c.text('ok')
        asked.delete(payId)
        return c.text('No such payment', 400)
      },
    },
  )

  const checked = handle.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: ORDER_BODY,
    stateUrl: shop.stateUrl,
  })

  await expect(checked).rejects.toThrow('your app asks the service whether a payment exists')
})
