import {
  receiverProblems,
  type CaseResult,
  type CheckReport,
  type Mistake,
  type ProblemCases,
  type StateOptions,
} from './check.ts'
import type { callerOptions, CheckOptionValues } from './check-options.ts'

/** The problems that an app that calls the API can have, in words for people. A failed case has one of them. */
export const callerProblems = {
  'paid-without-payment': receiverProblems['paid-without-payment'],
  'fulfilled-without-payment': receiverProblems['fulfilled-without-payment'],
  'fulfilled-again': receiverProblems['fulfilled-again'],
  'second-link': 'One order has several payable links',
  'shared-link': 'Two customers get the same pay link',
  'foreign-link': 'Customers get a pay link that does not belong to their order',
  'posted-on':
    'The redirect to the pay link repeats the POST of the order, so the payment page does not open',
  'wrong-amount': 'The amount of the link differs from the amount of the order',
  'not-paid': receiverProblems['not-paid'],
  'not-kept': receiverProblems['not-kept'],
  'taken-back': receiverProblems['taken-back'],
  'not-fulfilled': receiverProblems['not-fulfilled'],
  'leaked-key': 'The API key is visible',
  'open-proxy': 'Anyone can call the service with the key of your app',
  'leaked-webhook': 'A page shows customers what they need to confirm their own payment',
  'foreign-order': 'Customers see the orders of others',
  'leaked-address': 'A page gives its secret address to another site',
  'false-message': 'Customers are told something false',
  'garbled-page': 'A page names a wrong encoding, so that customers see garbage',
  'hidden-failure': 'Customers are not told that the payment could not be started',
  'no-link': 'Customers get no pay link for a good order',
  'no-answer': 'Customers get no answer in time',
  'no-backoff': 'Your app repeats failed calls too often or too early',
  'wrong-note': 'The note of the link differs from the note of the order',
  'unescaped-note': 'Text of a stranger is shown as markup',
  'open-redirect': 'A page of your app sends customers to any site that its address names',
  'script-in-link': 'A link on a page of your app runs any script that the address of the page names',
  'redirect-loop': 'The page that customers return to redirects in a circle',
  'page-fails': 'The page that customers return to fails',
  'dead-link': 'Customers are sent to a link that was cancelled',
  'stale-page': receiverProblems['stale-page'],
  'unknown-state': receiverProblems['unknown-state'],
} as const satisfies Readonly<Record<string, string>>

export type CallerProblem = keyof typeof callerProblems

/** A case's result in the caller check. */
export interface CallerCheckResult extends CaseResult {
  /** `null` unless the case failed. */
  readonly problem: CallerProblem | null
}

export interface CallerCheckReport extends Pick<
  CheckReport,
  'accountId' | 'checked' | 'notChecked' | 'delays' | 'passed' | 'failed' | 'skipped'
> {
  readonly orderUrl: string
  /** What the mistakes lead to, each with the cases that found it. */
  readonly problems: readonly ProblemCases<CallerProblem>[]
  /** What is wrong with the app, the most expensive mistake first. */
  readonly mistakes: readonly Mistake<CallerProblem>[]
  readonly results: readonly CallerCheckResult[]
}

/** Options for checking an app that calls the API. */
export interface CallerCheckOptions extends StateOptions, CheckOptionValues<typeof callerOptions> {
  /** Called with each result as soon as it is known. */
  readonly onResult?: ((result: CallerCheckResult) => void) | undefined
}
