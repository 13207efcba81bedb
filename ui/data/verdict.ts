import { computed } from '@preact/signals'
import { verdictOfPayments } from '../../server/contract/format/verdict.ts'
import { log } from './session.ts'

/** How many payments were paid or cancelled and have not reached the app. */
export const missedPaymentCount = computed(() => log.journal.value.eventIndex.groupOfPayments('missed').size)

/** What is broken, why, and what to do. */
export const verdict = computed(() => {
  const { eventIndex } = log.journal.value
  return verdictOfPayments(
    [...eventIndex.payments.values()].map(({ link: { payId, status } }) => ({
      payId,
      status,
      webhooks: eventIndex.webhooksOfPayment(payId),
      events: eventIndex.eventsOfPayment(payId),
    })),
  )
})
