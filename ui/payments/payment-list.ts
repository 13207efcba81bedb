import { computed } from '@preact/signals'
import './current-event.ts'
import { navigate, route } from '../route.ts'
import { log } from '../session.ts'
import { statusOf, type Payment } from './payment.ts'

const query = computed(() => (route.value.screen === 'payments' ? route.value.query.toLowerCase() : ''))

/** The payments that match the filter, newest first. */
export const paymentList = computed((): readonly Payment[] => {
  const wanted = query.value
  const all = [...log.journal.value.eventIndex.payments.values()].toReversed()
  return wanted === '' ? all : all.filter((payment) => textOf(payment).includes(wanted))
})

const textOf = (payment: Payment): string => {
  const { payId, id, note, amount, status, paidBy, dispute } = payment.link
  const words = [statusOf(payment).text, status, paidBy, dispute && 'disputed', payment.refund && 'refund']
  return [payId, id, note, amount, amount.toFixed(2), ...words].join(' ').toLowerCase()
}

export const paymentCount = computed(() => log.journal.value.eventIndex.payments.size)

export const selectedPayId = computed(() => (route.value.screen === 'payments' ? route.value.id : undefined))

export const selectedPaymentIndex = computed(() =>
  paymentList.value.findIndex(({ link }) => link.payId === selectedPayId.value),
)

export function selectPayment(payId: number | undefined): void {
  const how = selectedPayId.peek() === undefined ? 'push' : 'replace'
  navigate({ screen: 'payments', id: payId }, how)
}

export function stepPayment(steps: number): void {
  const list = paymentList.peek()
  const from = selectedPaymentIndex.peek() === -1 ? -Math.sign(steps) : selectedPaymentIndex.peek()
  const payment = list[Math.max(0, Math.min(list.length - 1, from + steps))]
  if (payment) selectPayment(payment.link.payId)
}
