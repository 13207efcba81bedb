import { receiverProblems, type CheckReport, type CheckResult } from '../../contract/checks/check.ts'
import { plural } from '../../contract/format/values.ts'
import { type Advice, findMistakes } from '../mistakes/find-mistakes.ts'
import { receiverRemedies } from '../mistakes/remedies.ts'
import type { CaseContext } from './case-context.ts'
import { checkCases } from './cases.ts'
import type { CheckCase } from './check-case.ts'
import { countOutcomes, groupProblems, listNotChecked, whatWasChecked } from '../app/run/summarize.ts'
import { CANCELLED_LINK_AGAIN } from '../app/run/not-possible.ts'

export function createReport(
  context: CaseContext,
  results: readonly CheckResult[],
  advice: Advice | null,
): Omit<CheckReport, 'delays'> {
  const { receiver, orders, watch, options } = context
  const problems = groupProblems(receiverProblems, results)
  return {
    receiver,
    accountId: orders.knownAccount() ?? null,
    checked: whatWasChecked(watch),
    ...countOutcomes(results),
    advice: advice?.text ?? null,
    notChecked: [
      ...listNotChecked(results, watch, CANCELLED_LINK_AGAIN),
      ...otherReceiver(context),
      ...postponed(context),
      ...paidLater(context),
      ...[...context.ownAccounts].map(
        (id) =>
          `Whether a webhook with the user_id ${id} pays an order, because your app also has links of this account.`,
      ),
      ...(options.quick === true ? [ONLY_QUICK] : []),
    ],
    problems,
    mistakes: findMistakes({ problems, results }, { remedies: receiverRemedies, advice }),
    results,
  }
}

/** Says so if the app has answered 503 to good webhooks, which the check sends again. */
const postponed = ({ answers }: CaseContext): string[] =>
  answers.postponed === 0
    ? []
    : [
        `Whether the service sends a webhook again that your app answers with 503, as it did for ${answers.postponed} of ${answers.good} good webhooks. The API reference does not say so, and the check sent them again.`,
      ]

/** Says how late the latest payment came, because an app may let open orders expire after minutes or days. */
const paidLater = ({ oldestPaidMs }: CaseContext): string[] =>
  oldestPaidMs === undefined
    ? []
    : [
        `Payments that come more than ${Math.floor(oldestPaidMs / 1000)} s after the order. If your app lets open orders expire, run the check once more while they expire sooner.`,
      ]

/** Says so if the links of the app lead to a different address than the options. */
function otherReceiver({ receiver, remembered, untouched }: CaseContext): string[] {
  const orders = [untouched, ...remembered.map(({ order }) => order)].filter((order) => order !== undefined)
  const urls = orders.flatMap(({ targets }) => targets).map(({ url }) => url)
  const [first] = urls
  if (first === undefined || urls.some((url) => isBelow(url, receiver))) return []
  return orders.every(({ paymentEndpoint }) => paymentEndpoint === '')
    ? [
        `${receiver}, because the links of your app name no payment_endpoint. Their webhooks go to the default of the account, ${first}.`,
      ]
    : [`${receiver}, because the links of your app name ${first} as payment_endpoint.`]
}

/** Whether an address leads to the route of an app, or to a path below it, such as one with a key for each order. */
const isBelow = (url: string, route: string): boolean =>
  `${new URL(url).pathname}/`.startsWith(`${new URL(route).pathname.replace(/\/$/, '')}/`)

const ALL_CASES: readonly CheckCase[] = checkCases
const ONLY_QUICK = `${plural(ALL_CASES.filter(({ isQuick }) => !isQuick).length, 'further case')}, because of --quick.`
