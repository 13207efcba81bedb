import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { errorText } from '../../server/domain/api/api-error.ts'
import { reducePayment, statusOf, type Payment } from '../../ui/data/payment.ts'
import { explainStatus } from '../../ui/payments/explain-status.ts'
import { blockedReason, type PaymentAction } from '../../ui/data/possible-actions.ts'
import { about, created, paid } from './event.ts'

const opened: EventView = { ...about, type: 'dispute.opened' }
const won: EventView = { ...about, type: 'dispute.closed', outcome: 'won' }
const lost: EventView = { ...about, type: 'dispute.closed', outcome: 'lost' }
const asked: EventView = { ...about, type: 'refund.requested', amount: 100, full: true }
const approved: EventView = { ...about, type: 'refund.approved', amount: 40, full: false }
const announced: EventView = { ...about, type: 'bank_transfer.initiated', entryPoint: 'checkout' }
const rejected: EventView = { ...about, type: 'bank_transfer.rejected', entryPoint: 'control' }

const after = (...events: EventView[]): Payment =>
  events.reduce<Payment | undefined>(reducePayment, reducePayment(undefined, created))!

test.each<[status: string, events: EventView[]]>([
  ['Unused', []],
  ['Paid', [paid]],
  ['Awaiting transfer', [announced]],
  ['Unused', [announced, rejected]],
  ['Refund requested', [paid, asked]],
  ['Partly refunded', [paid, asked, approved]],
  ['Disputed', [paid, asked, opened]],
  ['Paid', [paid, opened, lost]],
  ['Charged back', [paid, opened, won]],
  ['Cancelled', [{ ...about, type: 'link.cancelled', entryPoint: 'checkout' }]],
])('a payment is %s after its events (%#)', (status, events) => {
  expect(statusOf(after(...events)).text).toBe(status)
})

test.each<[action: PaymentAction, events: EventView[], reason: string | null]>([
  ['Pay by card', [], null],
  ['Pay by card', [paid], 'The link is already paid'],
  ['Bank transfer', [], 'The link does not offer bank transfer'],
  ['Cancel payment', [], null],
  ['Approve transfer', [announced], null],
  ['Approve refund', [paid], 'No refund was requested for pay_id 1001'],
  ['Approve refund', [paid, asked], null],
  ['Approve refund', [paid, asked, approved], 'The refund is already approved'],
  ['Open dispute', [paid], null],
  ['Open dispute', [paid, opened], 'A dispute is already open for this link'],
  ['Close dispute, customer wins', [paid], 'No dispute is open for this link'],
  ['Approve refund', [paid, asked, opened], errorText('refundDuringDispute')],
  ['Approve refund', [paid, asked, opened, won], null],
  ['Approve refund', [paid, asked, opened, lost], null],
  ['Approve refund', [paid, asked, approved, opened], 'The refund is already approved'],
  ['Reject refund', [paid, asked, opened], null],
  ['Delete link', [paid], 'The link is paid and cannot be deleted'],
])('the action %s is offered, or disabled with a reason (%#)', (action, events, reason) => {
  expect(blockedReason(action, after(...events))).toBe(reason)
})

test('events of an unknown link do not appear as a payment', () => {
  expect(reducePayment(undefined, paid)).toBeUndefined()
})

test.each<[events: EventView[], told: string | null]>([
  [[], null],
  [[paid], null],
  [[announced], 'initiated a bank transfer'],
  [[paid, asked], 'A refund of €100.00 of €100.00 awaits a decision of the operator.'],
  [[paid, asked, approved], 'A refund of €40.00 of €100.00 was approved. The API rejects further refunds'],
  [[paid, opened], 'the API rejects refunds with “Refund blocked by dispute”'],
  [[paid, opened, won], 'got the money back'],
  [[{ ...about, type: 'link.cancelled', entryPoint: 'checkout' }], 'The customer cancelled'],
  [[{ ...about, type: 'link.deleted', entryPoint: 'control' }], 'The link was deleted'],
])('the state of a payment is described in words (%#)', (events, told) => {
  if (told === null) expect(explainStatus(after(...events))).toBeNull()
  else expect(explainStatus(after(...events))).toContain(told)
})
