import type { Change, Shop } from '../../fixtures/laboratory/shop.ts'
import { callerCases } from '../../server/verify/caller-check/cases.ts'
import type { CheckCase } from '../../server/verify/receiver-check/check-case.ts'
import { checkCases } from '../../server/verify/receiver-check/cases.ts'

type Method = keyof Change & keyof Shop

/** Groups of cases, and single cases. */
type Cases = readonly string[]

/** Cases that examine the orders of the other cases. */
const reviewing: Cases = ['closing-look', 'late-repetition', 'late-cancel']

const placing: Cases = ['two links', 'identity', 'webhook-before-order', 'late-payment', 'no-further-links']

const reading: Cases = [...placing, 'amount', 'note']

const receiving: Cases = [
  'repetition',
  'webhook-before-order',
  'success-with-cancel',
  'second-payment-at-once',
  'both-links-paid-at-once',
  'cancelled-twice',
  'success-after-cancel',
  'second-payment',
  ...reviewing,
]

const refusing: Cases = ['forgery', 'fields', 'garbage', 'refused-first', 'forged-cancel']

const paying: Cases = [
  'repetition',
  'two links',
  'success-after-cancel',
  'success-after-cancel-redirect',
  'success-with-cancel',
  'success-after-late-cancel',
  'second-payment',
  'second-payment-at-once',
  'payment-after-refund',
  'late-payment',
  ...reviewing,
]

const refunding: Cases = ['refund', 'success-after-refund', 'cancel-after-refund', 'return-after-refund']

const cancelling: Cases = [
  'two links',
  'cancelled-state',
  'cancelled-twice',
  'forged-cancel',
  'success-after-cancel',
  'success-after-cancel-redirect',
  'success-with-cancel',
  'redirect-after-cancel',
  ...reviewing,
]

const showing: Cases = [
  'redirect-before-webhook',
  'webhook-during-redirect',
  'success-after-cancel-redirect',
  'redirect-after-cancel',
  'redirect-of-another-payment',
  'visit-alone',
  'calls-after-payment',
  'return-after-refund',
  'cancelled-twice',
  ...reviewing,
  'no-further-links',
]

const calling: Cases = ['refund', 'service-down', 'webhook-before-order', 'calls-after-payment']

/** The cases whose result a method of the shop can change, except those of a quick check. */
const casesOf = {
  addRoutes: [...placing, ...showing],
  answerFailure: placing,
  answerLink: placing,
  answerUnknown: refusing,
  answerWebhook: [...refusing, 'encoding'],
  call: calling,
  callUntilAnswered: calling,
  cancel: cancelling,
  createLink: [...placing, ...calling],
  findOrder: [...receiving, ...refusing],
  fulfil: paying,
  handle: receiving,
  hasRefund: refunding,
  isCancel: cancelling,
  isClosed: [...paying, ...refunding],
  isOurs: refusing,
  isPrice: [...refusing, 'amount'],
  isSuccess: refusing,
  isValid: refusing,
  linkFields: reading,
  orderOf: reading,
  orderPlaced: placing,
  page: showing,
  pageAddress: showing,
  payableLink: placing,
  pay: paying,
  placeOrder: placing,
  readNotification: [...receiving, ...refusing, 'encoding'],
  readOrder: reading,
  receive: [...receiving, ...refusing, 'encoding'],
  refund: refunding,
  refundAccepted: refunding,
  refundSurplus: [...paying, ...refunding],
  requestRefund: refunding,
  returned: showing,
  sessionOf: [...placing, ...showing],
  showPage: showing,
  showState: [...refunding, 'later'],
  startPayment: [...placing, ...paying],
  state: [...refunding, 'cancelled-state', 'forged-cancel', 'later'],
  titleOf: showing,
  webhookAddress: [...placing, ...receiving],
} satisfies Partial<Record<Method, Cases>> as Partial<Record<string, Cases>>

/** Methods that affect webhooks alone. The cases of the customer's side see only the result of a payment. */
const FOR_WEBHOOKS: ReadonlySet<string> = new Set([
  'answerUnknown',
  'answerWebhook',
  'findOrder',
  'fulfil',
  'handle',
  'hasRefund',
  'pay',
  'readNotification',
  'receive',
  'refund',
  'refundAccepted',
  'refundSurplus',
  'requestRefund',
  'showState',
  'state',
])

/** The cases of each check whose result can differ after a change of the correct shop, and the cases of a quick check. */
export function affectedCases(change: Change) {
  const affected = new Set(Object.keys(change).flatMap(casesOfMethod))
  const isForWebhooks = Object.keys(change).every((method) => FOR_WEBHOOKS.has(method))
  return {
    check: (checkCases as readonly CheckCase[])
      .filter(({ name, group, isQuick }) => isQuick || affected.has(name) || affected.has(group))
      .map(({ name }) => name),
    'check --caller': callerCases
      .filter(({ group }) => !isForWebhooks || group === 'return')
      .map(({ name }) => name),
  }
}

function casesOfMethod(method: string): Cases {
  const cases = casesOf[method]
  if (cases === undefined) throw new Error(`${method} is missing in test/support/affected-cases.ts.`)
  return cases
}
