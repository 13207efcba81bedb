import { computed } from '@preact/signals'
import { accountName } from '../data/accounts.ts'
import { parseTerms } from '../search/filter.ts'
import { findItems, sortByRank } from '../search/readings.ts'
import { navigate, route } from '../browser/route.ts'
import { log } from '../data/session.ts'
import { filterContext } from '../search/view.ts'
import { paymentGroups, type PaymentGroup } from '../data/attention.ts'
import { statusOf } from '../data/payment.ts'
import { paymentSearch } from './payment-search.ts'
import { paymentTerms, rankOf, textsOfPayment, type ListedPayment } from './payment-terms.ts'
import type { WebhookState } from '../../server/contract/format/webhook-marks.ts'

const query = computed(() => (route.value.screen === 'payments' ? route.value.query : ''))

const parse = (text: string) => parseTerms(text, paymentTerms, rankOf)

export const parsedQuery = computed(() => parse(query.value))

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

/** All payments, the newest first. */
const allPayments = computed((): readonly ListedPayment[] => {
  const { eventIndex } = log.journal.value
  const { hasBody } = filterContext.value
  return [...eventIndex.payments.values()].toReversed().map((payment): ListedPayment => ({
    payment,
    webhooks: eventIndex.webhooksOfPayment(payment.link.payId),
    accountName: accountName(payment.link.accountId),
    hasBody: (text) => eventIndex.eventsOfPayment(payment.link.payId).some(({ seq }) => hasBody(seq, text)),
  }))
})

const matches = computed(() => findItems(query.value, allPayments.value, parse, paymentTerms, textsOfPayment))

export const paymentReading = computed(() => matches.value.reading)

/** The payments that match the search, in the chosen sequence. */
export const paymentList = computed((): readonly ListedPayment[] => {
  const { found, reading } = matches.value
  if (isRanked.value) return sortByRank(found, reading.phrases, rankOf, textsOfPayment)
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
  const list = paymentList.peek()
  const from = selectedPaymentIndex.peek() === -1 ? -Math.sign(steps) : selectedPaymentIndex.peek()
  const listed = list[Math.max(0, Math.min(list.length - 1, from + steps))]
  if (listed) selectPayment(listed.payment.link.payId)
}
