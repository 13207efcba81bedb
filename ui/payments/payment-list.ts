import { computed } from '@preact/signals'
import { accountName } from '../data/accounts.ts'
import { parseTerms } from '../search/filter.ts'
import { searchItems } from '../search/readings.ts'
import { workInSlices } from '../search/slices.ts'
import { navigate, route } from '../browser/route.ts'
import { log } from '../data/session.ts'
import { filterContext } from '../search/view.ts'
import { paymentGroups, type PaymentGroup } from '../data/attention.ts'
import { statusOf, type Payment } from '../data/payment.ts'
import { paymentSearch } from './payment-search.ts'
import { paymentTerms, rankOf, textsOfPayment, type ListedPayment } from './payment-terms.ts'
import type { WebhookState } from '../../server/contract/format/webhook-marks.ts'

const query = computed(() => (route.value.screen === 'payments' ? route.value.query : ''))

export const parsedQuery = computed(() => parseTerms(query.value, paymentTerms, rankOf))

export const sortKeys = ['Payment', 'Amount', 'Status', 'Webhooks', 'Order', 'Account', 'Age'] as const
export type SortKey = (typeof sortKeys)[number]

interface Sort {
  readonly key: SortKey
  readonly direction: 'ascending' | 'descending'
}

/** How payments are sorted, from the address. By default, the best matches of a search come first, then the newest payments. */
export const sort = computed((): Sort => {
  const text = route.value.sort ?? ''
  const key = sortKeys.find((known) => known.toLowerCase() === text.replace('-', '')) ?? 'Age'
  return { key, direction: text.startsWith('-') ? 'descending' : 'ascending' }
})

/** Sorts by a column. If the list is already sorted by it, reverses the sequence. */
export function sortBy(key: SortKey): void {
  const { key: before, direction } = sort.peek()
  const sign = key === before && direction === 'ascending' && !isRanked.peek() ? '-' : ''
  const text = `${sign}${key.toLowerCase()}`
  const isDefault = text === 'age' && paymentReading.peek().phrases.length === 0
  navigate({ sort: isDefault ? undefined : text }, 'replace')
}

/** Webhooks that need attention come first. */
const stateOrder: Readonly<Record<WebhookState, number>> = {
  failed: 0,
  held: 1,
  retrying: 2,
  queued: 3,
  stored: 4,
  delivered: 5,
}

const sortValues: Readonly<Record<SortKey, (listed: ListedPayment) => string | number>> = {
  Payment: ({ payment }) => payment.link.payId,
  Amount: ({ payment }) => payment.link.amount,
  Status: ({ payment }) => statusOf(payment).text,
  Webhooks: ({ webhooks }) => Math.min(6, ...webhooks.map(({ state }) => stateOrder[state])),
  Order: ({ payment }) => payment.link.note.toLowerCase(),
  Account: (listed) => listed.accountName.toLowerCase(),
  // Payments are numbered in the sequence of their creation.
  Age: ({ payment }) => -payment.link.payId,
}

const listedPayments = new WeakMap<Payment, ListedPayment>()

/** The same object until the payment or its webhooks change, so that its texts are not read again. */
function toListed(payment: Payment): ListedPayment {
  const { payId, accountId } = payment.link
  const { eventIndex } = log.journal.value
  const webhooks = eventIndex.webhooksOfPayment(payId)
  const name = accountName(accountId)
  const known = listedPayments.get(payment)
  if (known?.webhooks === webhooks && known.accountName === name) return known
  const listed: ListedPayment = {
    payment,
    webhooks,
    accountName: name,
    hasBody: (text) =>
      eventIndex.eventsOfPayment(payId).some(({ seq }) => filterContext.peek().hasBody(seq, text)),
  }
  listedPayments.set(payment, listed)
  return listed
}

/** All payments, the newest first. */
const allPayments = computed((): readonly ListedPayment[] => {
  // A search in the bodies may find others if more bodies were found.
  void filterContext.value
  return [...log.journal.value.eventIndex.payments.values()].toReversed().map(toListed)
})

const { shown: matches, complete: completeSearch } = workInSlices(
  () => ({ query: query.value, items: allPayments.value }),
  (text, payments) => searchItems(text, payments, paymentTerms, rankOf, textsOfPayment),
)

/** The search of the listed payments. They stay until all payments are tested with the next search. */
export const shownQuery = computed(() => matches.value.query)

export const paymentReading = computed(() => matches.value.reading)

/** The payments that match the search, in the chosen sequence. */
export const paymentList = computed((): readonly ListedPayment[] => {
  const { found, bestFirst } = matches.value
  if (isRanked.value) return bestFirst
  const { key, direction } = sort.value
  if (key === 'Age') return direction === 'ascending' ? found : found.toReversed()
  const valueOf = sortValues[key]
  const factor = direction === 'ascending' ? 1 : -1
  return found.toSorted((one, other) => {
    const [left, right] = [valueOf(one), valueOf(other)]
    return left === right ? 0 : left < right ? -factor : factor
  })
})

/** Whether the best matches come first, because no column was chosen. */
export const isRanked = computed(
  () => route.value.sort === undefined && paymentReading.value.phrases.length > 0,
)

/** How many payments belong to each group. */
export const groupCounts = computed((): Readonly<Record<PaymentGroup, number>> => {
  const { eventIndex } = log.journal.value
  const counts = Object.keys(paymentGroups).map((group) => [
    group,
    eventIndex.groupOfPayments(group as PaymentGroup).size,
  ])
  return Object.fromEntries(counts) as Record<PaymentGroup, number>
})

paymentSearch.value = {
  terms: paymentTerms,
  problems: computed(() => parsedQuery.value.problems),
  found: computed(() => paymentList.value.length),
}

export const selectedPayId = computed(() => (route.value.screen === 'payments' ? route.value.id : undefined))

export const selectedPaymentIndex = computed(() =>
  paymentList.value.findIndex(({ payment }) => payment.link.payId === selectedPayId.value),
)

export function selectPayment(payId: number | undefined): void {
  const how = selectedPayId.peek() === undefined ? 'push' : 'replace'
  navigate({ screen: 'payments', id: payId }, how)
}

export function stepPayment(steps: number): void {
  completeSearch()
  const list = paymentList.peek()
  const from = selectedPaymentIndex.peek() === -1 ? -Math.sign(steps) : selectedPaymentIndex.peek()
  const listed = list[Math.max(0, Math.min(list.length - 1, from + steps))]
  if (listed) selectPayment(listed.payment.link.payId)
}
