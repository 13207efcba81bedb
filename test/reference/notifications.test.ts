import { describe, expect } from 'vitest'
import { createAccount } from '../support/account.ts'
import { startReceiver } from '../support/receiver.ts'
import { courier, market, shop, type CreatedLink, type OpenSandbox } from '../support/sandbox.ts'
import { refusal, test, visit } from './sandbox.ts'

const CALLBACK = 'https://shop.example/done'

/** The target of the redirect after an outcome. */
async function redirectOf(
  sandbox: OpenSandbox,
  extra: object,
  outcome: 'pay' | 'cancel' = 'pay',
): Promise<{ status: number; location: string; id: number }> {
  const link = await sandbox.createLink({ ...extra })
  const response = await visit(sandbox, link, outcome)
  return { status: response.status, location: response.headers.get('location')!, id: link.id }
}

/** A webhook endpoint, as an account's default or in its list. */
async function openAccount(sandbox: OpenSandbox, settings: object) {
  const { id, apiKey } = await createAccount(sandbox, settings)
  const create = async (extra: object = {}): Promise<CreatedLink> => {
    const { envelope } = await sandbox.call<CreatedLink>(
      'createLink',
      { amount: 100, ...extra },
      { token: apiKey },
    )
    return envelope.data
  }
  return { id, apiKey, create }
}

describe('10 The redirect to callback_url', () => {
  test.for([
    ['pay', 'Success'],
    ['cancel', 'cancel'],
  ] as const)(
    '10.1–10.4 after %s, HTTP 302 sends the browser there, with pay_id and the status',
    async ([outcome, status], { sandbox }) => {
      const redirect = await redirectOf(sandbox, { callback_url: CALLBACK }, outcome)

      expect(redirect.status).toBe(302)
      expect(redirect.location).toBe(`${CALLBACK}?pay_id=${redirect.id}&status=${status}`)
    },
  )

  test.for([
    ['10.5 a query stays', `${CALLBACK}?lang=de`, `${CALLBACK}?lang=de&`],
    ['10.6 a fragment stays at the end', `${CALLBACK}#thanks`, `${CALLBACK}?`],
    ['10.7 index 0 is the first callback URL of the account', '0', `${shop.callbackUrls[0]}?`],
    ['10.8 index 1 is the second one', '1', `${shop.callbackUrls[1]}?`],
    ['10.9 of several URLs, the first one is used', `${CALLBACK},https://shop.example/b`, `${CALLBACK}?`],
    ['10.10 of an index and a URL, the index', `1,${CALLBACK}`, `${shop.callbackUrls[1]}?`],
    ['10.11 of a URL and an index, the URL', `${CALLBACK},1`, `${CALLBACK}?`],
  ] as const)('%s', async ([, callbackUrl, start], { sandbox }) => {
    const { location } = await redirectOf(sandbox, { callback_url: callbackUrl })

    expect(location.slice(0, start.length)).toBe(start)
    expect(new URL(location).searchParams.get('status')).toBe('Success')
  })

  test.for([
    ['10.12 paid', 'pay', 'Payment complete'],
    ['10.13 cancelled', 'cancel', 'Payment cancelled'],
  ] as const)(
    '%s without callback_url, the service shows a page',
    async ([, outcome, title], { sandbox }) => {
      const { location } = await redirectOf(sandbox, {}, outcome)

      expect(await (await fetch(new URL(location, sandbox.url))).text()).toContain(`<h1>${title}</h1>`)
    },
  )

  test('10.14 a link that is not cancellable never redirects with cancel', async ({ sandbox }) => {
    const redirect = await redirectOf(sandbox, { callback_url: CALLBACK, cancellable: false }, 'cancel')

    expect([redirect.status, redirect.location]).toEqual([409, null])
  })

  test('10.15–10.16 the redirect can be lost, and the webhook arrives nevertheless', async ({
    sandbox,
    receiver,
  }) => {
    const { id } = await sandbox.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })

    const { answer } = await sandbox.control('POST', `/links/${id}/pay`, { browser: 'closes' })

    expect(answer.redirect).toBeNull()
    expect(receiver.received).toHaveLength(1)
  })
})

describe('11 The webhook to payment_endpoint', () => {
  test('11.1 the default of the account applies to each of its links', async ({ sandbox, receiver }) => {
    const account = await openAccount(sandbox, { paymentEndpoint: receiver.url })

    for (let links = 0; links < 2; links++) await visit(sandbox, await account.create())
    await receiver.count(2)

    expect(receiver.received.map(({ pairs }) => pairs['data[user_id]'])).toEqual([account.id, account.id])
  })

  test('11.2–11.3 a URL of the link replaces the default', async ({ sandbox, receiver }) => {
    await using byDefault = await startReceiver()
    const account = await openAccount(sandbox, { paymentEndpoint: byDefault.url })

    await visit(sandbox, await account.create({ payment_endpoint: receiver.url }))
    await sandbox.settled()

    expect([receiver.received.length, byDefault.received.length]).toEqual([1, 0])
  })

  test('11.4–11.5 an index is a place in the list of the account, counted from 0', async ({
    sandbox,
    receiver,
  }) => {
    const webhookUrls = ['first', 'second'].map((name) => `${receiver.origin}/${name}`)
    const account = await openAccount(sandbox, { webhookUrls })

    await visit(sandbox, await account.create({ payment_endpoint: '1' }))
    await receiver.count(1)
    await visit(sandbox, await account.create({ payment_endpoint: '0' }))
    await receiver.count(2)

    expect(receiver.received.map(({ path }) => path)).toEqual(['/second', '/first'])
  })

  test('11.6–11.7 of URLs and indexes, separated by commas, every target gets the same POST', async ({
    sandbox,
    receiver,
  }) => {
    const webhookUrls = [`${receiver.origin}/0`, `${receiver.origin}/1`]
    const account = await openAccount(sandbox, { webhookUrls })
    const targets = `${receiver.origin}/a,1,${receiver.origin}/b,0`

    await visit(sandbox, await account.create({ payment_endpoint: targets }))
    await receiver.count(4)

    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/0', '/1', '/a', '/b'])
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  test('11.8–11.15 the body is a form with bracket keys, byte for byte', async ({ sandbox }) => {
    const methods: (string | undefined)[] = []
    await using receiver = await startReceiver((_received, response, { method }) => {
      methods.push(method)
      response.end()
    })
    const link = await sandbox.createLink({
      amount: 49.5,
      recipient_note: 'Order 7',
      payment_endpoint: receiver.url,
    })

    await visit(sandbox, link)
    await receiver.count(1)

    const [{ contentType, body }] = receiver.received as [(typeof receiver.received)[0]]
    expect(methods).toEqual(['POST'])
    expect(contentType).toBe('application/x-www-form-urlencoded')
    expect(body).toBe(
      `ResponseCode=1&data%5Bpay_id%5D=${link.id}&data%5Bnote%5D=Order+7&data%5Bamount%5D=49.5` +
        `&data%5Buser_id%5D=${shop.id}&data%5Bstatus%5D=Success`,
    )
  })

  test('11.16 the note keeps every character', async ({ sandbox, receiver }) => {
    const note = 'Blüten & "Rosen" = 7 [a] +%20 €\n花'
    const link = await sandbox.createLink({ recipient_note: note, payment_endpoint: receiver.url })

    await visit(sandbox, link)
    await receiver.count(1)

    expect(receiver.received[0]!.pairs['data[note]']).toBe(note)
  })

  test('11.17 redirect and webhook name the same pay_id', async ({ sandbox, receiver }) => {
    const { location } = await redirectOf(sandbox, {
      callback_url: CALLBACK,
      payment_endpoint: receiver.url,
    })
    await receiver.count(1)

    expect(new URL(location).searchParams.get('pay_id')).toBe(receiver.received[0]!.pairs['data[pay_id]'])
  })

  test('11.18–11.19 a bank transfer sends its webhook once the operator approves it', async ({
    sandbox,
    receiver,
  }) => {
    const link = await sandbox.createLink({ payment_endpoint: receiver.url })
    await visit(sandbox, link, 'pay', 'bank-transfer')
    await sandbox.settled()
    expect(receiver.received).toEqual([])

    await sandbox.control('POST', `/links/${link.id}/approve-transfer`)

    expect(receiver.received.map(({ pairs }) => pairs['data[status]'])).toEqual(['Success'])
  })

  test('11.20–11.21 a cancellation sends cancel, with ResponseCode 1', async ({ sandbox, receiver }) => {
    const link = await sandbox.createLink({ payment_endpoint: receiver.url })

    await visit(sandbox, link, 'cancel')
    await receiver.count(1)

    expect(receiver.received[0]!.pairs).toMatchObject({ ResponseCode: '1', 'data[status]': 'cancel' })
  })

  test.for([
    ['11.22', 200, 'delivered'],
    ['11.23', 201, 'delivered'],
    ['11.24', 204, 'delivered'],
    ['11.25', 299, 'delivered'],
    ['11.26', 302, 'failed'],
    ['11.27', 400, 'failed'],
    ['11.28', 500, 'failed'],
  ] as const)('%s a receiver that answers %d: the webhook is %s', async ([, status, state], { sandbox }) => {
    await using receiver = await startReceiver((_received, response) => {
      response.writeHead(status).end()
    })
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })

    const { answer } = await sandbox.control('POST', `/links/${id}/pay`)

    expect(answer.deliveries).toEqual([expect.objectContaining({ state })])
  })

  test('11.29 the deletion of a link sends no webhook', async ({ sandbox, receiver }) => {
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })

    const { answer } = await sandbox.control('DELETE', `/links/${id}`)
    await sandbox.settled()

    expect(answer.status).toBe('deleted')
    expect(receiver.received).toEqual([])
  })

  test('11.30–11.31 the recipients of a split get no webhook', async ({ sandbox, receiver }) => {
    for (const { id } of [courier, market]) {
      await sandbox.control('PATCH', `/accounts/${id}`, { paymentEndpoint: `${receiver.origin}/recipient` })
    }
    const link = await sandbox.createLink({
      recipients: [courier, market].map(({ recipientToken }) => ({ token: recipientToken, share: 30 })),
      payment_endpoint: `${receiver.origin}/owner`,
    })

    await visit(sandbox, link)
    await sandbox.settled()

    expect(receiver.received.map(({ path }) => path)).toEqual(['/owner'])
  })
})

describe('12 sendWebhookViaPayId', () => {
  test('12.1–12.3 the webhook of a payment is sent again with the requested status', async ({
    sandbox,
    receiver,
  }) => {
    const link = await sandbox.createLink({ payment_endpoint: receiver.url })
    await visit(sandbox, link)
    await receiver.count(1)

    await sandbox.call('sendWebhookViaPayId', { pay_ids: String(link.id), status: 'Success' })
    await receiver.count(2)

    const [first, again] = receiver.received.map(({ body }) => body)
    expect(again).toBe(first)
  })

  test('12.4 pay_ids lists several payments, separated by commas', async ({ sandbox, receiver }) => {
    const ids: number[] = []
    for (let links = 0; links < 3; links++) {
      const link = await sandbox.createLink({ payment_endpoint: receiver.url })
      await visit(sandbox, link)
      ids.push(link.id)
    }
    await receiver.count(3)

    await sandbox.call('sendWebhookViaPayId', { pay_ids: ids.join(','), status: 'Success' })
    await receiver.count(6)

    expect(receiver.received.slice(3).map(({ pairs }) => Number(pairs['data[pay_id]']))).toEqual(ids)
  })

  test('12.5 the status of a cancelled payment is cancel', async ({ sandbox, receiver }) => {
    const link = await sandbox.createLink({ payment_endpoint: receiver.url })
    await visit(sandbox, link, 'cancel')
    await receiver.count(1)

    await sandbox.call('sendWebhookViaPayId', { pay_ids: String(link.id), status: 'cancel' })
    await receiver.count(2)

    expect(receiver.received[1]!.pairs['data[status]']).toBe('cancel')
  })

  test('12.6–12.7 pay_ids and status are required', async ({ sandbox }) => {
    expect(await refusal(sandbox, 'sendWebhookViaPayId', { status: 'Success' })).toContain('pay_ids')
    expect(await refusal(sandbox, 'sendWebhookViaPayId', { pay_ids: '1001' })).toContain('status')
  })

  test('12.8 pay_ids is a text', async ({ sandbox }) => {
    const body = { pay_ids: 1001, status: 'Success' }

    expect(await refusal(sandbox, 'sendWebhookViaPayId', body)).toContain('pay_ids should be a string')
  })
})

describe('13 Settings of the account', () => {
  test('13.1–13.5 a changed setting applies to the next call', async ({ sandbox }) => {
    const { id, apiKey } = await createAccount(sandbox)
    const settings = {
      apiKey: 'changedKey000000001',
      recipientToken: 'changedToken00000001',
      paymentEndpoint: 'http://127.0.0.1:9/default',
      callbackUrls: ['https://shop.example/callback'],
      webhookUrls: ['https://shop.example/webhook'],
    }

    await sandbox.control('PATCH', `/accounts/${id}`, settings)

    const { envelope } = await sandbox.call(
      'createLink',
      { amount: 1, callback_url: '0', payment_endpoint: '0' },
      { token: settings.apiKey },
    )
    expect(envelope.data).toMatchObject({
      user_id: id,
      callback_url: settings.callbackUrls[0],
      paymentEndpoint: settings.webhookUrls[0],
    })
    expect(await refusal(sandbox, 'createLink', { amount: 1 }, { token: apiKey })).toContain('token')
    const { answer: targets } = await sandbox.control('POST', '/targets/preview', { account: id })
    expect(targets.targets.map(({ url }) => url)).toEqual([settings.paymentEndpoint])
    const shares = [{ token: settings.recipientToken, share: 10 }]
    expect(await sandbox.createLink({ recipients: shares })).toMatchObject({
      recipients: JSON.stringify(shares),
    })
  })
})
