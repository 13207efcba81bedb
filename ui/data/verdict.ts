import { computed } from '@preact/signals'
import { verdictOfPayments } from '../../server/contract/format/verdict.ts'
import { log } from './session.ts'

/** The number of paid or cancelled payments that have not reached the app. */
export const missedPaymentCount = computed(() => log.journal.value.eventIndex.groupOfPayments('missed').size)

/** What does not work, why, and what to do. */
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
