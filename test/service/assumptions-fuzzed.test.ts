import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { listOptions, type BehaviorChoices } from '../../server/domain/behaviors/behavior.ts'
import { behaviorRow, behaviors, type BehaviorName } from '../../server/domain/behaviors/open-points.ts'
import {
  courier,
  market,
  NOON,
  openSandbox,
  production,
  shop,
  type DeliveryJson,
  type OpenSandbox,
} from '../support/sandbox.ts'
import { sized } from '../support/size.ts'
import { test } from '../support/test.ts'

/** All behaviors except the rate limit, which can refuse any call. */
const NAMES = (Object.keys(behaviors) as BehaviorName[]).filter((name) => name !== 'rateLimit')

const valuesOf = (name: BehaviorName): string[] => {
  const { pattern } = behaviorRow(name)
  return listOptions(name).map((option) => (option === pattern?.text ? pattern.example : option))
}

/** A value for every behavior. About half of the values are the default. */
const settings: Arbitrary<BehaviorChoices> = fc.record(
  Object.fromEntries(
    NAMES.map((name) => [name, fc.oneof(fc.constant(valuesOf(name)[0]), fc.constantFrom(...valuesOf(name)))]),
  ),
) as Arbitrary<BehaviorChoices>

interface Request {
  readonly path: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Usually a common value, so that few requests are refused because of their first field. */
const mostly = (usual: readonly unknown[], odd: readonly unknown[] = []): Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd, null, '', ' ', 'x', 0, 1, -1, true, [], {}) },
  )

const amounts = mostly([1, 100], ['100', ' +1e2 ', 10.005, 0.001, -0.004, 100.004, 1e10])
const flags = mostly([true, false], ['true', 'false', '0', '1'])
const numbers = mostly([1, 2], ['1', ' 1 ', 1.5, 1e20])
const texts = mostly(['a b*[é]'], [7])
const addresses = mostly(
  ['0', 'https://shop.example/', 'http://shop.example/?status=1', '0,9', '9,0'],
  ['9', '00', ' 0,', 'myapp://done', 'HTTPS://Shop.Example:443/{a}', '/tunnel/shop'],
)
const recipients = fc.oneof(
  fc.array(
    fc.record(
      {
        token: mostly(
          [courier.recipientToken, market.recipientToken],
          [shop.recipientToken, production.recipientToken],
        ),
        share: mostly([30, 10.5], ['30', 100 / 3, 10.005, 0.004, 101]),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
  fc.constantFrom(null, '', 'x', 1, {}, [1]),
)

const link = { callback_url: addresses, payment_endpoint: addresses, cancellable: flags, is_qr_link: flags }

/** The links that `prepare` creates: unused, paid, paid and disputed in three ways, refunded, cancelled, deleted. */
const IDS = [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008]
const payIds = mostly(IDS, ['1002', 9999, 1002.5, 1e20])

const bodies = {
  createLink: fc.record(
    { amount: amounts, ...link, bank_transfer: flags, recipient_note: texts, other: texts },
    { requiredKeys: ['amount'] },
  ),
  createSplitLink: fc.record(
    {
      amount: amounts,
      recipients,
      split_type: mostly(['normal', 'absolute']),
      ...link,
    },
    { requiredKeys: ['amount', 'recipients'] },
  ),
  refundPayment: fc.record(
    { pay_id: payIds, refund_amount: amounts, isFullRefund: flags },
    { requiredKeys: ['pay_id', 'refund_amount'] },
  ),
  getTaxInvoiceList: fc.record(
    { page: numbers, limit: numbers, search: texts, date: mostly(['2026-06', '2026-07'], [202606]) },
    { requiredKeys: [] },
  ),
  sendWebhookViaPayId: fc.record(
    {
      pay_ids: mostly(IDS.map(String), ['1002,1002', '1002,1007', '1002;1', 1002]),
      status: mostly(['Success', 'cancel'], ['SUCCESS', 'Cancel', 'open']),
    },
    { requiredKeys: ['pay_ids', 'status'] },
  ),
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Writes a body as a form: like PHP, like Rails, or with lists as JSON. */
function toForm(body: object, notation: 'php' | 'rails' | 'json'): string {
  const form = new URLSearchParams()
  const add = (key: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) form.append(key, String(value ?? ''))
    else if (notation === 'json') form.append(key, JSON.stringify(value))
    else
      for (const [name, inner] of Object.entries(value))
        add(`${key}[${Array.isArray(value) && notation === 'rails' ? '' : name}]`, inner)
  }
  for (const [key, value] of Object.entries(body)) add(key, value)
  return form.toString()
}

const calls: Arbitrary<Request> = fc.oneof(
  ...Object.entries(bodies).map(([operation, fields]) => {
    const path = `/api/v2/${operation}`
    return fc.oneof(
      { weight: 8, arbitrary: fields.map((body) => ({ path, body: JSON.stringify(body) })) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            fields as Arbitrary<object>,
            fc.constantFrom('php' as const, 'rails' as const, 'json' as const),
          )
          .map(([body, notation]) => ({ path, body: toForm(body, notation), headers: FORM })),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          { path, body: '' },
          { path, body: '{"amount":1}', headers: FORM },
          { path, body: '{}', headers: { 'content-type': 'text/plain' } },
          ...['', 'nobodys', production.apiKey].map((token) => ({ path, body: '{}', headers: { token } })),
        ),
      },
    )
  }),
)

const actions: Arbitrary<Request> = fc
  .constantFrom('pay', 'cancel')
  .map((action) => ({ path: `/_sandbox/v1/links/1001/${action}`, body: '{"wait":"accepted"}' }))

async function prepare({ call, control }: OpenSandbox): Promise<void> {
  for (const id of IDS) {
    const addressed = { callback_url: 'https://shop.example/?status=1', payment_endpoint: '/tunnel/shop' }
    await call('createLink', { amount: 100, recipient_note: 'a b*[é]', ...(id === 1001 ? addressed : {}) })
  }
  for (const id of [1002, 1003, 1004, 1005, 1006]) await control('POST', `/links/${id}/pay`)
  for (const id of [1003, 1004, 1005]) await control('PUT', `/links/${id}/dispute`)
  await control('DELETE', '/links/1004/dispute?outcome=won')
  await control('DELETE', '/links/1005/dispute?outcome=lost')
  await call('refundPayment', { pay_id: 1006, refund_amount: 1 })
  await control('POST', '/links/1007/cancel')
  await control('DELETE', '/links/1008')
  await control('POST', '/snapshots', { name: 'prepared' })
}

/** What an app sees of the answer to a request, and the behaviors that the answer names. */
async function answerTo({ url }: OpenSandbox, request: Request, choices: BehaviorChoices) {
  const restored = await send({ path: '/_sandbox/v1/snapshots/prepared/restore', body: '{}' })
  const set = await send({
    path: '/_sandbox/v1/behaviors',
    body: JSON.stringify(choices),
    method: 'PATCH',
  })
  expect([restored.ok, set.ok]).toEqual([true, true])
  const response = await send(request)
  const text = await response.text()
  const isCall = request.path.startsWith('/api/')
  const { redirect, deliveries } = (
    isCall ? await (await fetch(`${url}/_sandbox/v1/deliveries`)).json() : JSON.parse(text)
  ) as { readonly redirect?: unknown; readonly deliveries?: readonly DeliveryJson[] }
  const webhooks = deliveries?.map(({ target, contentType, body }) => [target, contentType, body])
  return {
    seen: [response.status, isCall ? text : redirect, webhooks],
    named: response.headers.get('sandbox-assumed')?.split(', ') ?? [],
  }

  /** Does not compare the answers with the OpenAPI documents, because that takes most of the time. */
  function send({ path, body, headers = {}, method = 'POST' }: Request & { readonly method?: string }) {
    return fetch(url + path, {
      method,
      headers: { token: shop.apiKey, 'content-type': 'application/json', ...headers },
      body,
    })
  }
}

test('an answer names every behavior that it depends on', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  await prepare(sandbox)

  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 5, arbitrary: calls }, { weight: 1, arbitrary: actions }),
      settings,
      settings,
      async (request, first, second) => {
        const { seen, named } = await answerTo(sandbox, request, first)
        const same = Object.fromEntries(Object.entries(first).filter(([name]) => named.includes(name)))

        const other = await answerTo(sandbox, request, { ...second, ...same })

        expect(other.seen).toEqual(seen)
      },
    ),
    { numRuns: sized({ full: 400, small: 50 }) },
  )
})
