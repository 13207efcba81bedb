import type { CheckResult, Probe } from '../../../contract/checks/check.ts'
import { type Advice, statusAndText } from '../../mistakes/find-mistakes.ts'
import type { CaseContext } from '../case-context.ts'
import { checkAnswer, isBusy } from '../../app/state/check-answer-and-order.ts'
import { unlessNoOrder } from '../../app/run/check-error.ts'
import { sendGoodWebhook } from '../webhooks/send.ts'

/** How many good webhooks are sent. If the app fails for one in ten, they show it in 24 of 25 checks. */
const MAX_WEBHOOKS = 30

const NAME = 'good webhooks, one after another'

/**
 * If webhooks have failed, sends good ones again after all cases, one after another. If the app fails for some and accepts others, neither
 * what a case has sent nor many webhooks at once explain this.
 */
export async function findUnreliable(
  context: CaseContext,
  results: readonly CheckResult[],
): Promise<Advice | undefined> {
  if (context.unreachableSince !== undefined || !results.some(({ problem }) => isSuspicious(problem)))
    return undefined
  const { orders, watch } = context
  let hasAccepted = false
  let failed: Probe | undefined
  for (let sent = 0; sent < MAX_WEBHOOKS && failed === undefined; sent += 1) {
    const order = await orders.make({ name: NAME }).catch(unlessNoOrder)
    if (order === undefined) return undefined
    const probes = await sendGoodWebhook(context, order, NAME)
    // An app that is only slow would take all the time of the check.
    if (probes.some(({ errorCode }) => errorCode === 'timeout')) return undefined
    // Before, the app may still work on webhooks of the last case.
    if (hasAccepted) failed ??= probes.find(hasFailed)
    hasAccepted ||= probes.every(
      (probe) => checkAnswer('accepted', probe, { isStateKnown: watch !== undefined }) === undefined,
    )
  }
  return failed && adviceFor(failed)
}

const isSuspicious = (problem: CheckResult['problem']): boolean =>
  problem === 'not-accepted' || problem === 'harmed-by-garbage'

/** Whether the app has failed, rather than refused the webhook or asked for it later. */
const hasFailed = (probe: Probe): boolean => probe.status === null || (probe.status >= 500 && !isBusy(probe))

function adviceFor({ status, error, exchange }: Probe): Advice {
  const answer = status === null ? 'no answer' : `the answer ${statusAndText(exchange)}`
  const fails =
    status === null
      ? 'leaves some good webhooks without an answer'
      : `answers some good webhooks with ${status}`
  return {
    title: `Your app ${fails}, and accepts others like them`,
    text: `After all cases, the check sent good webhooks one after another. Your app accepted some of them, and one got ${answer}${error === null ? '' : ` (${error})`}. Find the reason in your app's log, and mend this first: any other case may have failed because of it.`,
    isForAll: true,
    isUnreliable: true,
  }
}
