import { expect } from 'vitest'
import { openSandbox, shop, courier } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const CALLBACK = 'http://shop.test/done?order=7'

test('the payment page shows amount, note and payees, and the payment methods of the account', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink({ recipient_note: 'Order <7> & more' })

  const response = await fetch(link.pay_link)
  const html = await response.text()

  expect(response.status).toBe(200)
  expect(html).toContain('<h1>€100.00</h1>')
  expect(html).toContain('Order &lt;7&gt; &amp; more')
  expect(html).toContain('Payment to <strong dir="auto">Flower Shop</strong>')
  expect(html).toContain('value="bank-transfer"')
  expect(html).toMatch(/<button[^>]*>Pay €100.00<\/button>/)
  expect(html).toMatch(/<button[^>]*>Cancel payment<\/button>/)
  expect(html).not.toMatch(/<script/)
})

test('bank transfer is not offered and is refused if the account does not have it', async ({ sandbox }) => {
  const { envelope } = await sandbox.call<{ pay_link: string }>(
    'createLink',
    { amount: 5 },
    { token: courier.apiKey },
  )
  const { pay_link } = envelope.data

  expect(await (await fetch(pay_link)).text()).not.toContain('bank-transfer')
  const refused = await sandbox.submit(pay_link, { method: 'bank-transfer', outcome: 'pay' })
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('The link does not offer bank transfer'),
  ])
})

test('checkout pages allow no scripts and no resources of other origins', async ({ sandbox }) => {
  const { headers } = await fetch((await sandbox.createLink()).pay_link)

  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test.for([
  ['pay', 'success', 'Payment complete', 'cancelled'],
  ['cancel', 'cancelled', 'Payment cancelled', 'success'],
] as const)(
  'after %s without a callback URL, a default page is shown',
  async ([outcome, page, heading, other], { sandbox }) => {
    const link = await sandbox.createLink()

    const response = await sandbox.submit(link.pay_link, { method: 'card', outcome })
    const location = response.headers.get('location')!

    expect([response.status, location]).toEqual([303, `/payment/${page}?link_id=MTAwMQ%3D%3D`])
    expect(await (await fetch(sandbox.url + location)).text()).toContain(`<h1>${heading}</h1>`)
    expect((await fetch(sandbox.url + location.replace(page, other))).status).toBe(404)
  },
)

test('a link that is not cancellable has no Cancel button, and refuses to be cancelled', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink({ cancellable: false, callback_url: CALLBACK })

  expect(await (await fetch(link.pay_link)).text()).not.toContain('Cancel payment')
  const refused = await sandbox.submit(link.pay_link, { method: 'card', outcome: 'cancel' })
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('The link is not cancellable'),
  ])
  const { answer } = await sandbox.control('GET', `/links/${link.id}`)
  expect(answer.status).toBe('unused')
})

test('a declined card changes nothing, and the customer can try again', async ({ sandbox }) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })

  const declined = await sandbox.submit(link.pay_link, { method: 'card', outcome: 'decline' })
  const next = sandbox.url + declined.headers.get('location')!
  expect([declined.status, next]).toEqual([303, `${link.pay_link}&declined`])
  const html = await (await fetch(next)).text()
  expect(html).toContain('<h1>Your bank declined the payment</h1>')
  expect(html).toContain('Pay €100.00')
  expect((await sandbox.submit(link.pay_link, { method: 'card', outcome: 'pay' })).status).toBe(302)
})

test('the page for an outcome can be opened only after this outcome', async ({ sandbox }) => {
  const link = await sandbox.createLink()

  for (const step of ['declined', 'waiting']) {
    const html = await (await fetch(`${link.pay_link}&${step}`)).text()
    expect(html).toContain('<h1>€100.00</h1>')
    expect(html).not.toContain('role="alert"')
  }
  for (const page of ['success', 'cancelled', 'closed']) {
    const response = await fetch(link.pay_link.replace('/payment', `/payment/${page}`))
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('<h1>This payment does not have this outcome</h1>'),
    ])
  }
})

test('a browser closed after paying is not redirected, and the webhook is sent anyway', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })

  const response = await sandbox.submit(link.pay_link, { outcome: 'pay-and-close' })
  await sandbox.settled()

  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    '/payment/closed?link_id=MTAwMQ%3D%3D',
  ])
  const html = await (await fetch(sandbox.url + response.headers.get('location')!)).text()
  expect(html).toContain('<h1>Browser closed</h1>')
  expect(html).toContain('http://shop.test/done?order=7&amp;pay_id=1001&amp;status=Success')
  const { answer } = await sandbox.control('GET', `/events?link=${link.id}`)
  const types = answer.events.map(({ type }) => type)
  expect(types).toContain('redirect.lost')
  expect(types).toContain('delivery.attempted')
  expect(types).not.toContain('redirect.sent')
})

test('a bank transfer waits for the operator, then the waiting page redirects to the shop', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })

  const response = await sandbox.submit(link.pay_link, { method: 'bank-transfer', outcome: 'pay' })
  const waiting = sandbox.url + response.headers.get('location')!
  const elsewhere = await fetch(link.pay_link, { redirect: 'manual' })
  expect([elsewhere.status, sandbox.url + elsewhere.headers.get('location')!]).toEqual([303, waiting])
  const page = await (await fetch(waiting, { redirect: 'manual' })).text()
  expect(page).toContain('<h1>Waiting for your transfer</h1>')
  expect(page).toContain('http-equiv="refresh"')
  const before = await sandbox.control('GET', '/deliveries')
  expect(before.answer.deliveries).toEqual([])

  const approved = await sandbox.control('POST', `/links/${link.id}/approve-transfer`)
  expect(approved.answer.deliveries).toMatchObject([{ status: 'Success', state: 'delivered' }])
  const back = await fetch(waiting, { redirect: 'manual' })
  expect([back.status, back.headers.get('location')]).toEqual([302, `${CALLBACK}&pay_id=1001&status=Success`])
})

test('a link can be paid again after its bank transfer was rejected', async ({ sandbox }) => {
  const link = await sandbox.createLink()
  await sandbox.submit(link.pay_link, { method: 'bank-transfer', outcome: 'pay' })

  expect((await sandbox.control('POST', `/links/${link.id}/reject-transfer`)).answer).toMatchObject({
    status: 'unused',
  })
  const html = await (await fetch(`${link.pay_link}&waiting`)).text()
  expect(html).toContain('Your bank transfer did not arrive')
  expect(html).toContain('Pay €100.00')
})

test('a second payment is refused, and its customer is redirected like the first', async ({ sandbox }) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })
  const first = await sandbox.submit(link.pay_link, { method: 'card', outcome: 'pay' })

  const second = await sandbox.submit(link.pay_link, { method: 'card', outcome: 'pay' })
  const html = await second.text()

  expect(second.status).toBe(409)
  expect(html).toContain('<h1>This link has already been used</h1>')
  expect(html).toContain('Nothing was paid a second time.')
  expect(html).toContain('There is nothing more to pay.')
  expect(html).not.toContain('Ask the shop for a new link')
  expect(html).toContain(`href="${first.headers.get('location')!.replaceAll('&', '&amp;')}"`)
  expect(await (await fetch(link.pay_link)).text()).not.toContain(CALLBACK)
})

test('a link that waits for a bank transfer cannot be paid or cancelled', async ({ sandbox }) => {
  const link = await sandbox.createLink()
  await sandbox.submit(link.pay_link, { method: 'bank-transfer', outcome: 'pay' })

  for (const outcome of ['pay', 'cancel', 'decline', 'pay-and-close']) {
    const refused = await sandbox.submit(link.pay_link, { method: 'card', outcome })
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('A bank transfer is already on its way'),
    ])
  }
  expect((await sandbox.control('GET', `/links/${link.id}`)).answer.status).toBe('awaiting-transfer')
})

test.for([
  ['paid', 'POST', '/pay', 'This link has already been used', 200],
  ['cancelled', 'POST', '/cancel', 'This payment was cancelled', 200],
  ['deleted', 'DELETE', '', 'This link is no longer available', 410],
] as const)(
  'a %s link has its own page, and refuses every further outcome',
  async ([status, method, verb, heading, http], { sandbox }) => {
    const link = await sandbox.createLink({ callback_url: CALLBACK })
    await sandbox.control(method, `/links/${link.id}${verb}`)

    const page = await fetch(link.pay_link)
    expect([page.status, await page.text()]).toEqual([http, expect.stringContaining(`<h1>${heading}</h1>`)])
    for (const outcome of ['pay', 'cancel', 'decline', 'pay-and-close']) {
      const again = await sandbox.submit(link.pay_link, { method: 'card', outcome })
      expect([again.status, again.headers.get('location')]).toEqual([http === 410 ? 410 : 409, null])
    }
    expect((await sandbox.control('GET', `/links/${link.id}`)).answer.status).toBe(status)
  },
)

test.for([
  '',
  '?link_id=',
  '?link_id=MTAwMg%3D%3D',
  '?link_id=1001',
  '?link_id=%00',
  `?link_id=${'M'.repeat(5000)}`,
])('the unknown link %s has its own page', async (query, { sandbox }) => {
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`${sandbox.url}/payment${query}`, { method })
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('<h1>This payment link does not exist</h1>'),
    ])
  }
})

test.for<[what: string, fields: Record<string, string>, says: string]>([
  ['an unknown method', { method: 'cards', outcome: 'pay' }, 'Did you mean card?'],
  ['an unknown outcome', { method: 'card', outcome: '<steal>' }, 'outcome=&lt;steal&gt;'],
  ['no outcome', { method: 'card' }, 'The field outcome is missing.'],
  ['many fields', Object.fromEntries([...'abcdefghij'].map((name) => [name, name])), 'and 2 more'],
])(
  'a form with %s is refused with a page, and changes nothing',
  async ([_what, fields, says], { sandbox }) => {
    const link = await sandbox.createLink()

    const response = await sandbox.submit(link.pay_link, fields)
    const html = await response.text()
    expect(response.status).toBe(400)
    expect(html).toContain('<h1>This form is not valid</h1>')
    expect(html).toContain('should be one of')
    expect(html).toContain(says)
    expect((await sandbox.control('GET', `/links/${link.id}`)).answer.status).toBe('unused')
  },
)

test.for<[what: string, body: BodyInit]>([
  ['multipart', new FormData()],
  ['larger than any form', new URLSearchParams({ outcome: 'cancel', x: 'a'.repeat(20_000) })],
  ['JSON', '{"outcome":"cancel"}'],
  ['empty', ''],
])('a body that is %s is not accepted as a form', async ([_what, body], { sandbox }) => {
  if (body instanceof FormData) body.set('outcome', 'cancel')
  const link = await sandbox.createLink()

  const response = await fetch(link.pay_link, { method: 'POST', body })
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringMatching(/Content-Type should be application\/x-www-form-urlencoded|at most 16 KiB/),
  ])
  expect((await sandbox.control('GET', `/links/${link.id}`)).answer.status).toBe('unused')
})

test.for([
  ['?link_id=MTAwMg%3D%3D', 'The link_id stands for payment 1002, which is not in this sandbox.'],
  ['?link_id=1001', 'The link_id should be the base64 of a pay_id'],
  ['', 'The address has no link_id.'],
] as const)(
  'the page of the unknown link %s explains the error to the developer',
  async ([query, reason], { sandbox }) => {
    expect(await (await fetch(`${sandbox.url}/payment${query}`)).text()).toContain(reason)
  },
)

test('the developer sees where redirect and webhooks will go, however many there are', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink({
    callback_url: CALLBACK,
    payment_endpoint: ['0', 'http://a.test', 'http://b.test', 'http://c.test', 'http://d.test'].join(','),
    recipients: Array.from({ length: 9 }, () => ({ token: courier.recipientToken, share: 1 })),
  })
  await sandbox.control('PATCH', '/behaviors', { cancelWebhook: 'skip' })

  const html = await (await fetch(link.pay_link)).text()
  expect(html).toContain(CALLBACK)
  expect(html).toContain('payment_endpoint names index 0 of the account')
  expect(html).toContain('http://b.test')
  expect(html).not.toContain('http://c.test')
  expect(html).toContain('and 2 more')
  expect(html).toContain('5 more, in the inspector')
  expect(html).toContain('€91.00')
  expect(html).toContain('Cancelling sends no webhook')
})

test('only a link that was paid by bank transfer has the page after a bank transfer', async ({ sandbox }) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })
  await sandbox.control('POST', `/links/${link.id}/pay`)

  const page = await fetch(`${link.pay_link}&waiting`, { redirect: 'manual' })
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('This link has already been used'),
  ])
})

test('fifty simultaneous clicks make one payment, one redirect and one webhook', async ({ sandbox }) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })

  const clicks = Array.from({ length: 50 }, (_, click) =>
    sandbox.submit(link.pay_link, { method: 'card', outcome: click % 2 === 0 ? 'pay' : 'cancel' }),
  )
  const statuses = (await Promise.all(clicks)).map(({ status }) => status)
  await sandbox.settled()

  expect(statuses.filter((status) => status === 302)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(49)
  const { answer } = await sandbox.control('GET', `/events?link=${link.id}&limit=1000`)
  const count = (...types: string[]) => answer.events.filter(({ type }) => types.includes(type)).length
  expect(count('link.paid', 'link.cancelled')).toBe(1)
  expect(count('redirect.sent')).toBe(1)
  expect(count('delivery.queued')).toBe(1)
  expect(count('delivery.attempted')).toBe(1)
})

test('a pay link is accepted with its link_id percent-encoded or not', async ({ sandbox }) => {
  const link = await sandbox.createLink()

  for (const address of [link.pay_link, decodeURIComponent(link.pay_link)]) {
    expect((await fetch(address)).status).toBe(200)
  }
})

test('pay links start with the address of the request, or the public URL', async () => {
  await using local = await openSandbox()
  await using published = await openSandbox({ publicUrl: 'https://pay.example' })
  const port = new URL(local.url).port

  const response = await fetch(`http://localhost:${port}/api/v2/createLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: '{"amount":1}',
  })
  expect(((await response.json()) as { data: { pay_link: string } }).data.pay_link).toBe(
    `http://localhost:${port}/payment?link_id=MTAwMQ%3D%3D`,
  )
  expect(await published.createLink({ is_qr_link: true })).toMatchObject({
    pay_link: 'https://pay.example/payment?link_id=MTAwMQ%3D%3D',
    qr_img: 'https://pay.example/qr/MTAwMQ%3D%3D.png',
  })
})
