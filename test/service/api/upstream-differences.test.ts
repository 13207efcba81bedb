import { expect } from 'vitest'
import { createAccount, type CreatedAccount } from '../../support/account.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { openSandbox, recipients, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

interface Recorded {
  readonly operation: string
  readonly differences?: readonly string[]
  readonly comparisonSkipped?: string
}

/** The calls in the journal, oldest first. */
const calls = async ({ control }: OpenSandbox): Promise<readonly Recorded[]> =>
  (await control('GET', '/events?type=api.request,api.limited')).answer.events

/** Two accounts that only the service knows. */
async function openService(options: Parameters<typeof openSandbox>[0] = {}) {
  const service = await openSandbox(options)
  const fields = { callbackUrls: ['https://shop.example/back'], webhookUrls: [`${service.url}/tunnel/x`] }
  return {
    service,
    owner: await createAccount(service, { name: 'Only there', ...fields }),
    recipient: await createAccount(service, { name: 'Also only there' }),
    [Symbol.asyncDispose]: service.close,
  }
}

const callAs =
  ({ apiKey }: Pick<CreatedAccount, 'apiKey'>, mirror: OpenSandbox) =>
  (operation: string, body: object) =>
    mirror.call<{ id: number }>(operation, body, { token: apiKey })

test('a sandbox with the same behaviors gives the same answers, even about unknown payments', async () => {
  await using opened = await openService()
  const { service, owner, recipient } = opened
  await using mirror = await openSandbox({ upstream: service.url })
  const call = callAs(owner, mirror)
  const before = (await mirror.control('GET', '/info')).answer

  const { envelope } = await call('createSplitLink', {
    amount: 100,
    recipients: [{ token: recipient.recipientToken, share: 30 }],
    callback_url: '0',
    payment_endpoint: '0,https://shop.example/hook',
    is_qr_link: true,
  })
  expect(envelope.ResponseMsg).toBe('Link has been created successfully')
  const payId = envelope.data.id
  await call('createSplitLink', { amount: 10, recipients: [{ token: 'rcpUnknown', share: 30 }] })
  await call('createSplitLink', { amount: 10, recipients: [{ token: owner.recipientToken, share: 30 }] })
  await call('createSplitLink', { amount: 10, recipients, callback_url: '9' })
  await call('createSplitLink', { recipients })
  await call('createLink', { amount: 12.5 })
  await call('getTaxInvoiceList', {})
  await service.control('POST', `/links/${payId}/pay`)
  await call('sendWebhookViaPayId', { pay_ids: String(payId), status: 'Success' })
  await call('refundPayment', { pay_id: payId, refund_amount: 40 })
  await call('refundPayment', { pay_id: payId, refund_amount: 40 })
  await call('refundPayment', { pay_id: payId })
  await call('refundPayment', { pay_id: 99, refund_amount: 1 })
  await callAs({ apiKey: 'unknown-there' }, mirror)('createSplitLink', { amount: 1, recipients })

  const recorded = await calls(mirror)
  expect(recorded.filter(({ comparisonSkipped }) => comparisonSkipped === undefined)).toEqual(
    Array.from({ length: 11 }, () => expect.objectContaining({ differences: [] })),
  )
  const payment = 'The answer depends on a payment that only the real service knows.'
  const list = 'The answer depends on a list of addresses that only the real service knows.'
  expect(recorded.flatMap(({ comparisonSkipped }) => comparisonSkipped ?? [])).toEqual([list, payment])

  const after = (await mirror.control('GET', '/info')).answer
  const { events: _before, ...countsBefore } = before.counts as Record<string, number>
  const { events: _after, ...countsAfter } = after.counts as Record<string, number>
  expect(countsAfter).toEqual(countsBefore)
})

test('a form with bracket keys is compared like the same JSON', async () => {
  const behaviors = { requestBody: 'json-or-form' } as const
  await using opened = await openService({ behaviors })
  const { service, owner, recipient } = opened
  await using mirror = await openSandbox({ upstream: service.url, behaviors })
  const form = {
    amount: '100',
    'recipients[0][token]': recipient.recipientToken,
    'recipients[0][share]': '30',
  }
  const response = await fetch(`${mirror.url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: owner.apiKey },
    body: new URLSearchParams(form),
  })
  expect(await response.json()).toMatchObject({ ResponseCode: 1 })
  expect(await calls(mirror)).toMatchObject([{ differences: [] }])
})

test('each difference between the service and the sandbox is named', async () => {
  await using service = await openSandbox({ behaviors: { errorStatus: 'http', numericStrings: 'accept' } })
  await using mirror = await openSandbox({ upstream: service.url })
  await mirror.call('createSplitLink', { recipients })
  await mirror.call('createLink', { amount: '5' })
  await mirror.call('createLink', { amount: 5 })
  await mirror.call('refundPayment', { pay_id: 99, refund_amount: 5 })
  const [refused, accepted, equal, unknown] = await calls(mirror)
  expect(unknown!.differences).toEqual(['The service answers HTTP 404, the sandbox HTTP 200.'])
  expect(refused!.differences).toEqual(['The service answers HTTP 422, the sandbox HTTP 200.'])
  expect(accepted!.differences).toEqual(
    expect.arrayContaining([
      'ResponseCode is 1 in the service, 0 in the sandbox.',
      expect.stringContaining('The service sends data'),
    ]),
  )
  expect(equal!.differences).toEqual([])
})

test('a changed field, and an answer that is not JSON, are differences', async ({ sandbox: service }) => {
  const answer = await (
    await fetch(`${service.url}/api/v2/createLink`, {
      method: 'POST',
      headers: { token: shop.apiKey, 'content-type': 'application/json' },
      body: '{"amount":5}',
    })
  ).text()
  const answers = [answer.replace('"pay_link"', '"payment_link"'), answer.slice(0, 40), '<h1>Hello</h1>']
  await using changed = await startRawReceiver((response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(answers.shift())
  })
  await using mirror = await openSandbox({ upstream: changed.origin })
  for (const _operation of ['renamed', 'cut', 'page']) {
    await fetch(`${mirror.url}/api/v2/createLink`, {
      method: 'POST',
      headers: { token: shop.apiKey, 'content-type': 'application/json' },
      body: '{"amount":5}',
    })
  }
  const found = (await calls(mirror)).map(({ differences = [] }) => differences.join(' '))
  expect(found[0]).toContain('The service does not send data.pay_link')
  expect(found[0]).toContain('The service sends data.payment_link')
  expect(found[1]).toContain('The body of the service is not JSON')
  expect(found[2]).toContain('The body of the service is not JSON')
})

test('a key that the service repeats is masked in every difference, and in every export', async () => {
  const key = 'devKey8s92741realSecretABCDEF55512'
  await using service = await startRawReceiver((response) => {
    response.setHeader('content-type', 'application/json')
    const more = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`more${index}`, key]))
    response.end(
      JSON.stringify({
        ResponseCode: '1',
        hint: 'undefined is no key',
        ResponseMsg: `${'y'.repeat(980)}${key}`,
        key,
        ...more,
      }),
    )
  })
  await using mirror = await openSandbox({ upstream: service.origin })
  for (const token of [key, 'undefined']) {
    await fetch(`${mirror.url}/api/v2/createLink`, { method: 'POST', headers: { token } })
  }

  const [call] = await calls(mirror)
  expect(call!.differences).toHaveLength(21)
  expect(call!.differences!.at(-1)).toMatch(/^\d+ more differences are not listed\.$/)
  expect(call!.differences!.join('\n')).toContain('ResponseCode is a number as text in the service')
  const har = await (await fetch(`${mirror.url}/_sandbox/v1/export.har`)).text()
  for (const part of ['realSecret', 'devKey']) expect(har).not.toContain(part)
  expect(har).toContain('undefined is no key')
})
