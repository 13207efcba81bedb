import { expect } from 'vitest'
import { evaluateRetries } from '../../../server/verify/calibration/evaluate-timing.ts'
import { startPayments } from '../../../server/verify/calibration/payments.ts'
import type { PaymentTargets } from '../../../server/verify/calibration/probes.ts'
import { freePort } from '../../support/free-port.ts'
import { test } from '../../support/test.ts'

const LINK = { id: 1001, payLink: `https://pay.example/payment?link_id=${btoa('700001')}` }

/** Both URLs are set, because these tests always have a receiver for webhooks. */
type Targets = { readonly [Name in keyof PaymentTargets]-?: string }

type Pay = (targets: Targets) => Promise<unknown>

/** Pays one link and cancels another. The test decides what the service sends in the meantime. */
async function startService({ pay, cancel }: { readonly pay: Pay; readonly cancel?: Pay }) {
  const port = await freePort()
  let targets: Targets
  const payments = await startPayments({
    receiver: `http://127.0.0.1:${port}`,
    port,
    async pay(_link, outcome) {
      await (outcome === 'pay' ? pay : (cancel ?? pay))(targets)
      return undefined
    },
    payTimeoutMs: 10_000,
    webhookTimeoutMs: 200,
    mask: async (exchange) => exchange,
    signal: new AbortController().signal,
    onWait: () => {},
  })
  return {
    ...payments,
    async run(outcome: 'pay' | 'cancel') {
      targets = payments.targets() as Targets
      await payments.redirect(LINK, outcome)
      const found = await payments.webhook(outcome)
      return 'failure' in found ? found.failure : (found.request?.body.content ?? 'none')
    },
  }
}

const form = (payId: number | string): URLSearchParams =>
  new URLSearchParams({ ResponseCode: '1', 'data[pay_id]': String(payId), 'data[status]': 'Success' })

const redirect = ({ callback }: Targets, payId: number) => fetch(`${callback}?pay_id=${payId}&status=Success`)

const post = ({ webhook }: Targets, body: BodyInit, headers = {}) =>
  fetch(webhook, { method: 'POST', body, headers })

const NO_WEBHOOK = 'no webhook arrived within 0.2 s'
const OTHER_WEBHOOK = 'no webhook arrived that has the pay_id of this payment within 0.2 s'

test.for<[what: string, send: Pay, expected: string]>([
  ['a GET', ({ webhook }) => fetch(webhook), NO_WEBHOOK],
  ['an empty body', (targets) => post(targets, ''), OTHER_WEBHOOK],
  ['the webhook of another payment', (targets) => post(targets, form(5)), OTHER_WEBHOOK],
  ['a webhook without pay_id', (targets) => post(targets, '{"data":{}}'), OTHER_WEBHOOK],
  ['a text', (targets) => post(targets, 'hello'), OTHER_WEBHOOK],
])('%s does not count as the webhook of a payment, and decides nothing', async ([, send, expected]) => {
  // The wait for the webhook begins with the redirect, so the webhook is sent first.
  const pay = async (targets: Targets): Promise<void> => {
    await Promise.all([send(targets), redirect(targets, 1001)])
  }
  await using service = await startService({ pay })

  expect([await service.run('pay'), await service.run('cancel'), service.timing()]).toEqual([
    expected,
    expected,
    undefined,
  ])
})

test.for<[what: string, payId: number, body: (payId: number) => BodyInit]>([
  ['the id of the link', 1001, form],
  ['the number in the pay link', 700001, form],
  ['the pay_id of the redirect', 42, form],
  ['JSON', 42, (payId) => JSON.stringify({ data: { pay_id: payId } })],
  ['JSON with text', 42, (payId) => JSON.stringify({ pay_id: String(payId) })],
])('a webhook names its payment by %s', async ([, payId, body]) => {
  await using service = await startService({
    async pay(targets) {
      await Promise.all([
        post(targets, form(5)),
        post(targets, body(payId), { 'content-type': 'text/plain' }),
        redirect(targets, payId),
      ])
    },
  })

  expect(await service.run('pay')).toContain(String(payId))
})

test('a missing webhook of a cancellation counts only if the payment sent one', async () => {
  await using service = await startService({
    async pay(targets) {
      await Promise.all([post(targets, form(1001)), redirect(targets, 1001)])
    },
    cancel: async (targets) => {
      await redirect(targets, 1001)
      await fetch(targets.webhook)
    },
  })

  const first = await service.run('cancel')
  await service.run('pay')
  expect([first, await service.run('cancel')]).toEqual([NO_WEBHOOK, 'none'])
})

test('two webhooks at once are a duplicate, not a repetition', async () => {
  await using service = await startService({
    async pay(targets) {
      await Promise.all([post(targets, form(1001)), post(targets, form(1001)), redirect(targets, 1001)])
    },
  })
  await service.run('pay')

  expect(evaluateRetries(service.timing()!, '2026-07-01')).toEqual({
    verdict: 'undecided',
    reason: '2 webhooks came at once. The failed webhook was not sent again within 200 ms.',
  })
  const attempt = (at: number, answeredAt: number) => ({ at, answeredAt })
  const attempts = [attempt(0, 10), attempt(5, 12), attempt(5_010, 5_020), attempt(5_030, 5_040)]
  expect(evaluateRetries({ redirectAt: 0, attempts, quietMs: 200 }, '2026-07-01')).toMatchObject({
    verdict: 'confirmed',
    value: '5s',
  })
})
