import { expect } from 'vitest'
import { listOptions, type BehaviorChoices } from '../../server/domain/behaviors/behavior.ts'
import {
  behaviorRow,
  behaviors,
  openPoints,
  type BehaviorName,
} from '../../server/domain/behaviors/open-points.ts'
import {
  assumedBy,
  NOON,
  openSandbox,
  recipients,
  type OpenSandbox,
  type PaymentResult,
} from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Call = readonly [operation: string, body: object | string, headers?: Record<string, string>]

const half = { ...recipients[0], share: 50 }

/** Calls whose answer depends on a behavior. Each refund has its own payment, because a payment can be refunded once. */
const CALLS: readonly Call[] = [
  ['createLink', { amount: 1 }],
  ['createLink', { amount: 10.005 }],
  ['createLink', { amount: 1e10 }],
  ['createLink', { amount: '1' }],
  ['createLink', { amount: ' +1 ' }],
  ['createLink', { amount: 1, cancellable: 'false' }],
  ['createLink', { amount: 1, is_qr_link: 1 }],
  ['createLink', { amount: 1, recipient_note: 7 }],
  ['createLink', { amount: 1, callback_url: 0 }],
  ['createLink', { amount: 1, callback_url: '0,9' }],
  ['createLink', { amount: 1, callback_url: '9,0' }],
  ['createLink', { amount: 1, payment_endpoint: '9,0' }],
  ['createLink', { amount: 1, payment_endpoint: 'http://127.0.0.1:9/' }],
  ['createLink', { amount: 1, callback_url: 'http://127.0.0.1:9/' }],
  ['createLink', { amount: 1, callback_url: 'https://shop.example/,http://shop.example/' }],
  ['createLink', { amount: 1, callback_url: 'myapp://done' }],
  ['createLink', { amount: 1, recipient_note: null, other: 1 }],
  ['createLink', {}],
  ['createLink', ''],
  ['createLink', { amount: 1, other: JSON.parse('['.repeat(32) + ']'.repeat(32)) }],
  ['createLink', {}, { token: '' }],
  ['createLink', {}, { token: 'nobodys' }],
  ['createLink', 'amount=1', FORM],
  ['createLink', '{"amount":1}', FORM],
  ['createSplitLink', { amount: 100, recipients: [half, half] }],
  ['createSplitLink', { amount: 1, split_type: 'absolute', recipients: [{ ...half, share: 1 / 3 }] }],
  ['createSplitLink', { amount: 1, recipients: Array.from({ length: 1001 }, () => half) }],
  ['createSplitLink', `amount=1&recipients[][token]=${half.token}&recipients[][share]=30`, FORM],
  ['createSplitLink', `amount=1&recipients=${encodeURIComponent(JSON.stringify(recipients))}`, FORM],
  ['createSplitLink', { amount: 1, recipients: [{ token: 7, share: 1 }] }],
  ['createSplitLink', {}, { token: '' }],
  ['createSplitLink', {}, { token: 'nobodys' }],
  ['refundPayment', { pay_id: 1001, refund_amount: 1 }],
  ['refundPayment', { pay_id: 1002, refund_amount: 1 }],
  ['refundPayment', { pay_id: 1002, refund_amount: 1 }],
  ['refundPayment', { pay_id: 1003, refund_amount: 99.999 }],
  ['refundPayment', { pay_id: 1004, refund_amount: 1, isFullRefund: true }],
  ['refundPayment', { pay_id: 1005, refund_amount: '1' }],
  ['refundPayment', { pay_id: 1006, refund_amount: 1, isFullRefund: 'false' }],
  ['refundPayment', { pay_id: 1007, refund_amount: 1 }],
  ['refundPayment', { pay_id: 1008, refund_amount: 1 }],
  ['refundPayment', { pay_id: 1009, refund_amount: 1 }],
  ['refundPayment', { pay_id: 1010, refund_amount: 1 }],
  ['refundPayment', { pay_id: 1011, refund_amount: 1 }],
  ['getTaxInvoiceList', ''],
  ['getTaxInvoiceList', { date: '2026-05', search: 'may' }],
  ['getTaxInvoiceList', { search: 2026 }],
  ['getTaxInvoiceList', { page: '1' }],
  ['sendWebhookViaPayId', { pay_ids: '1001', status: 'Success' }],
  ['sendWebhookViaPayId', { pay_ids: '1002', status: 'Success' }],
  ['sendWebhookViaPayId', { pay_ids: '1002,1002', status: 'SUCCESS' }],
  ['sendWebhookViaPayId', { pay_ids: '1002', status: 'paid' }],
  ['sendWebhookViaPayId', { pay_ids: 1002, status: 'Success' }],
  ['sendWebhookViaPayId', { pay_ids: '1002;1003', status: 'Success' }],
  ['sendWebhookViaPayId', { pay_ids: '1009', status: 'cancel' }],
]

/**
 * Makes links: 1001 unused, 1002 to 1006 paid, 1007 and 1008 with a dispute that the customer won and lost, 1009 cancelled,
 * 1010 deleted, and 1011 with a refund that was rejected.
 */
async function prepare({ call, control }: OpenSandbox): Promise<void> {
  const payIdOf = new Map<number, number>()
  for (let id = 1001; id <= 1011; id++) {
    await call('createLink', { amount: 100 })
    payIdOf.set(id, (await control('GET', `/links/${id}`)).answer.payId)
  }
  for (const id of [1002, 1003, 1004, 1005, 1006, 1007, 1008, 1011]) {
    await control('POST', `/links/${id}/pay`, { wait: 'accepted' })
  }
  for (const [id, outcome] of [
    [1007, 'won'],
    [1008, 'lost'],
  ] as const) {
    await control('PUT', `/links/${id}/dispute`)
    await control('DELETE', `/links/${id}/dispute?outcome=${outcome}`)
  }
  await control('POST', '/links/1009/cancel', { wait: 'accepted' })
  await control('DELETE', '/links/1010')
  const payId = payIdOf.get(1011)
  await call('refundPayment', { pay_id: payId, refund_amount: 1 })
  await control('POST', `/refunds/${payId}/reject`)
}

/** What an app sees of an answer, and the assumptions that the answer names. */
interface Outcome {
  readonly what: string
  readonly seen: unknown
  readonly assumed: readonly string[]
}

/** The ids of links depend on how many calls before have created one. */
const withoutIds = (data: unknown): unknown =>
  Array.isArray(data) ? data : { ...(data as object), id: 0, pay_link: '', qr_img: '' }

async function callAll({ call }: OpenSandbox): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [operation, body, headers] of CALLS) {
    const { status, envelope, headers: answered } = await call(operation, body, headers)
    const seen = [status, envelope.ResponseMsg, withoutIds(envelope.data)]
    const what = `${operation} ${JSON.stringify(body).slice(0, 100)} ${JSON.stringify(headers ?? {})}`
    outcomes.push({ what, seen, assumed: assumedBy({ headers: answered }) })
  }
  return outcomes
}

/** Pays and cancels links with and without addresses of their own, and sends their webhooks again. */
async function payAll({ call, rawControl, url }: OpenSandbox): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const addresses = {
    callback_url: 'https://shop.example/done',
    payment_endpoint: 'https://shop.example/hook',
  }
  for (const action of ['pay', 'cancel']) {
    for (const fields of [addresses, {}, { callback_url: 'https://shop.example/?status=open' }]) {
      const { envelope } = await call<{ id: number }>('createLink', { amount: 10.5, ...fields })
      const { answer, headers } = await rawControl<PaymentResult>(
        'POST',
        `/links/${envelope.data.id}/${action}`,
      )
      const sent = answer.deliveries.map(({ body, contentType, target }) => [
        target.replace(url, ''),
        contentType,
        body,
      ])
      const seen = JSON.stringify([answer.redirect, sent]).replaceAll(String(answer.link.payId), 'ID')
      outcomes.push({ what: `${action} ${JSON.stringify(fields)}`, seen, assumed: assumedBy({ headers }) })
    }
  }
  return outcomes
}

async function outcomesWith(choices: BehaviorChoices): Promise<Outcome[]> {
  await using sandbox = await openSandbox({ now: () => new Date(NOON), behaviors: choices })
  await prepare(sandbox)
  return [...(await callAll(sandbox)), ...(await payAll(sandbox))]
}

/** Makes the requests for open points that the calls above do not cover. */
async function doTheRest({ control, rawControl, call, createLink, submit }: OpenSandbox): Promise<void> {
  const act = async (id: number, action: string, body?: object) =>
    rawControl('POST', `/links/${id}/${action}`, body)
  const created = async (fields: Record<string, unknown> = {}) => (await createLink(fields)).id

  const waiting = await createLink({ callback_url: 'https://shop.example/done' })
  await submit(waiting.pay_link, { outcome: 'pay', method: 'bank-transfer' })
  await act(waiting.id, 'approve-transfer')
  await fetch(`${waiting.pay_link}&waiting`, { redirect: 'manual' })
  const transfer = await created({ callback_url: 'https://shop.example/done' })
  for (const action of ['decline', 'pay', 'reject-transfer', 'pay', 'approve-transfer']) {
    await act(transfer, action, action === 'pay' ? { method: 'bank-transfer' } : undefined)
  }
  await control('PATCH', '/behaviors', { order: 'webhook-first' })
  await act(await created({ callback_url: 'https://shop.example/done' }), 'pay')
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(307, { location: '/elsewhere' }).end(),
  )
  await act(await created({ payment_endpoint: receiver.url }), 'pay')
  await call('createLink', { amount: 1 }, { 'content-encoding': 'gzip' })
  await control('PATCH', '/behaviors', { rateLimit: '1/min' })
  for (const _call of [1, 2]) await call('getTaxInvoiceList', {})
}

test('every open point is named by an answer, webhook, redirect or event', async () => {
  await using sandbox = await openSandbox()
  await prepare(sandbox)
  await callAll(sandbox)
  await payAll(sandbox)
  await doTheRest(sandbox)
  await sandbox.settled()

  const named = sandbox.runReport().openPoints.map(({ name }) => name)
  expect(Object.keys(openPoints).filter((name) => !named.some((one) => one === name))).toEqual([])
})

/** The rate limit can refuse any call, so only a refused call names it. */
const COMPARED = (Object.keys(behaviors) as BehaviorName[]).filter((name) => name !== 'rateLimit')

let usual: Promise<Outcome[]> | undefined

test.for(COMPARED)(
  'an answer that the behavior %s changes names this behavior, with every option',
  async (name) => {
    const { pattern } = behaviorRow(name)
    const [, ...options] = listOptions(name).map((option) =>
      option === pattern?.text ? pattern.example : option,
    )
    const expected = await (usual ??= outcomesWith({}))
    for (const option of options) {
      const outcomes = await outcomesWith({ [name]: option })
      const silent = outcomes.filter(({ seen, assumed }, index) => {
        const before = expected[index]!
        const isSame = JSON.stringify(seen) === JSON.stringify(before.seen)
        return !isSame && !(assumed.includes(name) && before.assumed.includes(name))
      })
      expect(silent.map(({ what }) => what)).toEqual([])
    }
  },
)
