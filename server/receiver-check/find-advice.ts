import { checkCases } from './cases.ts'
import type { Step } from './check-case.ts'
import type { CheckResult } from '../contract/check.ts'
import type { CaseContext } from './run-case.ts'

/** What is behind the failures of a receiver that takes no good webhook, or those as JSON alone, and what to do. */
export async function findAdvice(
  {
    acceptedEncoding,
    unreachableSince,
    orders,
    watch,
  }: Pick<CaseContext, 'acceptedEncoding' | 'unreachableSince' | 'orders' | 'watch'>,
  results: readonly CheckResult[],
): Promise<string | null> {
  const forms = results.filter(({ name, outcome }) => FORM_CASES.has(name) && outcome !== 'skipped')
  const isRefused = forms.length > 0 && forms.every(({ outcome }) => outcome === 'failed')
  // Whoever went away takes nothing by now, whatever they took before.
  if (!isRefused || unreachableSince !== undefined) return null
  if ((await acceptedEncoding.detect()) === 'json') return PARSE_FORMS_TOO
  const statuses = new Set(forms.map(({ exchange }) => exchange?.response?.status))
  const [status = 0] = statuses
  if (statuses.size !== 1 || status < 400 || status > 499) return null
  const isOrderUnknown = status !== 405 && !orders.appMakesOrders && watch === undefined
  const advice = [
    ...(status === 404 || status === 405 ? [CHECK_PATH] : []),
    ...(isOrderUnknown ? [LET_APP_MAKE_ORDERS] : []),
  ]
  return advice.length === 0 ? null : `Every good webhook was answered with ${status}. ${advice.join(' ')}`
}

const CHECK_PATH =
  'Compare the path with the one on which the app takes webhooks, and check that it takes POST there.'

const LET_APP_MAKE_ORDERS =
  'If the app refuses orders that it does not know, let it make the orders: give an order url.'

/** The cases of a good webhook that comes as a form, whatever the receiver takes. */
const FORM_CASES: ReadonlySet<string> = new Set(
  checkCases
    .filter(({ answer, steps }) => answer === 'accepted' && steps.some(sendsForm))
    .map(({ name }) => name),
)

function sendsForm(step: Step): boolean {
  return 'send' in step && step.send.encoding === 'form'
}

const PARSE_FORMS_TOO =
  'The receiver takes JSON alone. The service sends application/x-www-form-urlencoded, as the reference shows: parse forms too.'
