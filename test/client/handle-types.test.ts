import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { Endpoints } from '../../server/service/api/endpoints/all-endpoints.ts'
import type { Operation } from '../../server/domain/api/operations.ts'
import {
  startSandbox,
  type CreatedLink,
  type OperationAnswers,
  type OperationBodies,
  type PaymentLink,
  type Sandbox,
  type SandboxAccount,
} from '../../server/package/index.ts'

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value

type Taken = { readonly [Name in Operation]: DeepReadonly<z.input<Endpoints[Name]['body']>> }

type Answered = {
  readonly [Name in Operation]: {
    readonly [Field in keyof Endpoints[Name]['resultFields']]: DeepReadonly<
      z.output<Endpoints[Name]['resultFields'][Field]>
    >
  }
}

type Narrower = 'sendWebhookViaPayId'

// The handle accepts fewer values for `status` of sendWebhookViaPayId: the service ignores case, but a typo should not compile.
test('the types of the operations match their schemas', () => {
  expectTypeOf<Omit<OperationBodies, Narrower>>().toEqualTypeOf<Omit<Taken, Narrower>>()
  expectTypeOf<OperationBodies[Narrower]>().toExtend<Taken[Narrower]>()
  expectTypeOf<OperationAnswers>().toEqualTypeOf<Answered>()
})

/** The compiler must reject each of these. They are never called. */
const mistakes: readonly ((shop: SandboxAccount, sandbox: Sandbox) => Promise<unknown>)[] = [
  // @ts-expect-error no operation has this name
  (shop) => shop.call('refundPaymen', { pay_id: 1, refund_amount: 1 }),
  // @ts-expect-error the field is pay_id
  (shop) => shop.call('refundPayment', { payid: 1, refund_amount: 1 }),
  // @ts-expect-error the amount is a number
  (shop) => shop.call('createLink', { amount: '100' }),
  // @ts-expect-error a link needs an amount
  (shop) => shop.call('createLink'),
  // @ts-expect-error a refund returns no data
  async (shop) => (await shop.call('refundPayment', { pay_id: 1, refund_amount: 1 })).data.pay_link,
  // @ts-expect-error a link needs an amount
  (shop) => shop.createLink(),
  // @ts-expect-error the handle calls it callbackUrl
  (shop) => shop.createLink({ amount: 1, callback_url: 'http://localhost:3000' }),
  // @ts-expect-error the handle calls it payLink
  async (shop) => (await shop.createLink({ amount: 1 })).pay_link,
  // @ts-expect-error the option is distinct
  (shop) => shop.behaviors.set({ payId: 'distnct' }),
  // @ts-expect-error the behavior is payId
  (shop) => shop.behaviors.set({ payid: 'distinct' }),
  // @ts-expect-error a rate is per minute
  (shop) => shop.behaviors.set({ rateLimit: '60/hour' }),
  // @ts-expect-error a duration has a unit
  (shop) => shop.behaviors.set({ retries: '5' }),
  // @ts-expect-error a duration has no space
  (shop) => shop.behaviors.set({ retries: '5 s' }),
  // @ts-expect-error every duration has a unit
  (shop) => shop.behaviors.set({ retries: '5s,30' }),
  // @ts-expect-error the option is distinct
  (_shop, sandbox) => sandbox.createAccount({ behaviors: { payId: 'distnct' } }),
  // @ts-expect-error the option is distinct
  () => startSandbox({ behaviors: { payId: 'distnct' } }),
  // @ts-expect-error the option is distinct
  () => startSandbox({ seed: { accounts: [{ name: 'Bakery', behaviors: { payId: 'distnct' } }] } }),
  // @ts-expect-error the value is next-month
  (_shop, sandbox) => sandbox.clock.advance({ to: 'next-moth' }),
  // @ts-expect-error the clock is set to an instant
  (_shop, sandbox) => sandbox.clock.set('next-month'),
  // @ts-expect-error the status is Success, whatever statusText is
  (shop) => shop.waitForWebhook({ status: 'success' }),
  // @ts-expect-error the status is Success, whatever statusText is
  (shop) => shop.waitForRedirect({ status: 'success' }),
  // @ts-expect-error no event has this type
  (shop) => shop.waitFor({ type: 'link.payed' }),
  // @ts-expect-error the key is payId
  (shop) => shop.waitFor({ type: 'link.paid', payid: 7 }),
  // @ts-expect-error a payment has no httpStatus
  (shop) => shop.waitFor({ type: 'link.paid', httpStatus: 200 }),
  // @ts-expect-error the statuses of links are lower case
  (shop) => shop.waitFor({ type: 'link.created', link: { status: 'Unused' } }),
]

/** The compiler must accept these. They are never called. */
async function acceptedCalls(shop: SandboxAccount, sandbox: Sandbox) {
  await shop.behaviors.set({ payId: 'distinct', rateLimit: '60/min', retries: '5s,2m,1h,30d', order: null })
  await sandbox.clock.advance({ to: 'next-month' })
  await sandbox.clock.advance({ to: new Date() })
  await sandbox.clock.set('2026-12-31T12:00:00+01:00')
  await shop.call('getTaxInvoiceList')
  await shop.callUnchecked('refundPaymen', { payid: 1 })
  const created = await shop.call('createLink', { amount: 1, recipient_note: null })
  if (created.ResponseCode === 1) expectTypeOf(created.data).toExtend<CreatedLink>()
  expectTypeOf(await shop.createLink({ amount: 1 })).toEqualTypeOf<PaymentLink>()
  const event = await shop.waitFor({ type: 'link.created', link: { amount: 5 } })
  expectTypeOf(event.link.payLink).toEqualTypeOf<string>()
  const events = await shop.waitFor({ type: 'redirect.sent', status: 'Success' }, { count: 2 })
  expectTypeOf(events[0]!.location).toEqualTypeOf<string>()
}

test('wrong arguments of the handle do not compile', () => {
  expectTypeOf(mistakes[0]!).parameters.toEqualTypeOf<[SandboxAccount, Sandbox]>()
  expectTypeOf(acceptedCalls).returns.resolves.toBeVoid()
})
