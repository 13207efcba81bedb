import type { CheckedOrder, Fact, Probe, ReceiverProblem } from '../../../contract/checks/check.ts'
import type { CaseContext } from '../case-context.ts'
import type { SeenProblem } from '../../app/run/failure.ts'

/** What happens to an order whose webhook does not reach it. */
const UNREACHED: ReadonlySet<ReceiverProblem> = new Set([
  'order-lost',
  'not-paid',
  'not-kept',
  'not-fulfilled',
  'payment-forgotten',
  'wrong-refund',
  'not-cancelled',
  'not-accepted',
  'no-refund',
])

/** What happens to orders that get the webhooks of others. */
const MIXED_UP: ReadonlySet<ReceiverProblem> = new Set([
  ...UNREACHED,
  'pays-another',
  'paid-without-payment',
  'fulfilled-without-payment',
  'fulfilled-again',
  'cancelled-by-other',
  'wrong-record',
  'unasked-refund',
])

/** Adds the fact that explains a failure, if the links of the app, or the answer to the webhook, show one. */
export function explainFailure(
  { orders }: CaseContext,
  seenProblem: SeenProblem,
  order: CheckedOrder,
  probe: Probe | undefined,
): SeenProblem {
  const { problem, isLate = false } = seenProblem
  if (isLate) return seenProblem
  const unreached = UNREACHED.has(problem)
    ? (orders.addresses.withoutEndpoint(order.order) ??
      orders.addresses.withoutEnd(order, orders.noteOf) ??
      explainAnswer(probe))
    : undefined
  // The order that pays another one is not always the order of the case.
  const own = problem === 'pays-another' ? undefined : order.order
  const fact = unreached ?? (MIXED_UP.has(problem) ? orders.addresses.mixedUp(own) : undefined)
  return fact === undefined ? seenProblem : { ...seenProblem, fact }
}

const TOO_LARGE = 413

/** A status that says what the app, or a server in front of it, does not like about a webhook. */
function explainAnswer(probe: Probe | undefined): Fact | undefined {
  if (probe?.status !== TOO_LARGE) return undefined
  return {
    title: `Your app refuses a webhook of ${probe.exchange.request.body.size} bytes, because it is too large`,
    remedy: `Your app, or a server in front of it, answered ${TOO_LARGE}. Raise its limit for the bodies of webhooks: in a form, each emoji of a note takes twelve bytes, and other letters six.`,
  }
}
