import type { CheckResult } from '../../../contract/checks/check.ts'
import { causeOfAnswer } from '../../../contract/format/verdict.ts'
import { decodeBody, type Exchange } from '../../../domain/http/exchange.ts'
import { quoteText } from '../../../domain/text/quote-text.ts'
import { responseFacts } from '../../../domain/webhooks/response-facts.ts'
import { checkCases } from '../cases.ts'
import type { CaseStep, CheckCase } from '../check-case.ts'
import type { CaseContext } from '../case-context.ts'
import { type Advice, answerText } from '../../mistakes/find-mistakes.ts'

/** If the receiver accepts no good webhook, or only JSON, returns the probable cause and what to do about it. */
export async function findAdvice(
  {
    acceptedEncoding,
    unreachableSince,
    orders,
    watch,
    receiver,
  }: Pick<CaseContext, 'acceptedEncoding' | 'unreachableSince' | 'orders' | 'watch' | 'receiver'>,
  results: readonly CheckResult[],
): Promise<Advice | null> {
  const forms = results.filter(({ name, outcome }) => FORM_CASES.has(name) && outcome !== 'skipped')
  const areFormsRejected = forms.length > 0 && forms.every(({ outcome }) => outcome === 'failed')
  // If the receiver has stopped, it accepts nothing, so earlier results prove nothing.
  if (!areFormsRejected || unreachableSince !== undefined) return null
  if (forms.some(({ fact }) => fact !== undefined)) return null
  // The app reads the webhooks, and finds the wrong orders.
  if (results.some(({ problem }) => problem === 'pays-another')) return null
  if ((await acceptedEncoding.detect()) === 'json') return PARSE_FORMS_TOO
  const [paid, ...others] = results.filter(
    ({ name, outcome }) => outcome === 'passed' && Object.hasOwn(PAYS_ONLY, name),
  )
  if (watch !== undefined && paid !== undefined && others.length === 0) return PAYS_ONLY[paid.name]!
  if (acceptedEncoding.failureWith('form')?.problem === 'not-paid') return READ_FIELDS
  const statuses = new Set(forms.map(({ exchange }) => exchange?.response?.status))
  const [status = 0] = statuses
  if (statuses.size === 1 && status >= 200 && status < 300 && watch === undefined) return LOOK_AT_STATES
  if (statuses.size !== 1 || status < 300) return null
  const { exchange } = forms.find((form) => answerText(form.exchange) !== '') ?? forms[0]!
  return adviseOnRefusal(exchange!, {
    account: orders.appMakesOrders ? orders.knownAccount() : undefined,
    isOrderUnknown: !orders.appMakesOrders && watch === undefined,
    namesNoAddress: orders.appMakesOrders && orders.addresses.areWithoutEndpoint(),
    receiver,
  })
}

interface Refused {
  /** The account that created the links, if the app created them. */
  readonly account: string | undefined
  /** Whether the app may not know the orders, because the check has made them up. */
  readonly isOrderUnknown: boolean
  /** Whether the app creates links without `payment_endpoint`. */
  readonly namesNoAddress: boolean
  readonly receiver: string
}

/** What to do if the app refuses every good webhook with the same status. */
function adviseOnRefusal(
  exchange: Exchange,
  { account, isOrderUnknown, namesNoAddress, receiver }: Refused,
): Advice {
  const { url } = exchange.request
  const { status, headers, body } = exchange.response!
  const facts = responseFacts({ status, responseHeaders: headers, responseBody: decodeBody(body) })
  const { redirectedTo, responseText } = facts
  const said = redirectedTo === undefined ? responseText && quoteText(responseText) : `to ${redirectedTo}`
  const isMissing = status === 404 || status === 405
  const isClientError = status >= 400 && status < 500
  const advice = [
    ...(account === undefined || !isClientError || NO_PAYLOAD.has(status) ? [] : [nameAccount(account)]),
    ...(isMissing ? [namesNoAddress ? `${NO_ADDRESS} ${CHECK_PATH}` : checkPath(receiver, url)] : []),
    ...(FORBIDDEN.has(status) ? [ALLOW_STRANGERS] : []),
    ...(isOrderUnknown && isClientError && status !== 405 ? [LET_APP_MAKE_ORDERS] : []),
  ]
  const { host, pathname } = new URL(url)
  const cause = causeOfAnswer(facts, status, { host, path: pathname })
  return {
    title: `Your app answers every webhook with ${said === undefined ? status : `${status} ${said}`}${namesNoAddress && isMissing ? ', and its payment links name no payment_endpoint' : ''}`,
    text: advice.length === 0 ? `${cause.remedy}.` : advice.join(' '),
    isForAll: true,
  }
}

/** Statuses of apps that have not looked into the webhook. */
const NO_PAYLOAD = new Set([404, 405, 419])

/** An app that refuses the account of a webhook has another one in its settings. */
const nameAccount = (account: string): string =>
  `The webhooks have the user_id ${account}, of the account whose API key created the links. If your app expects another one, correct its settings.`

const CHECK_PATH =
  'Compare the path with the webhook route of your app, and check that the route allows POST.'

const NO_ADDRESS =
  'The links of your app name no payment_endpoint, so the webhooks went to the address that you passed. If your app has an address for each order, pass it as payment_endpoint when you create the link.'

/** Says so if the links of the app name a different address than the options. */
function checkPath(receiver: string, url: string): string {
  if (pathOf(url) === pathOf(receiver)) return CHECK_PATH
  return `The links of your app name ${url} as payment_endpoint, so the webhooks went there, not to ${receiver}, which you passed. If your app has no such route, correct the payment_endpoint.`
}

const pathOf = (url: string): string => new URL(url).pathname

/** Laravel responds with 419 to a form without a CSRF token. */
const FORBIDDEN = new Set([401, 403, 419])

const ALLOW_STRANGERS =
  'The payment service cannot log in or send a CSRF token. Exempt the webhook route of your app from both checks.'

const LET_APP_MAKE_ORDERS =
  'If your app rejects orders that it does not know, let it create the orders: pass --order-url.'

/** The cases that always send a good webhook as a form, even to a receiver that accepts JSON. */
const FORM_CASES: ReadonlySet<string> = new Set(
  (checkCases as readonly CheckCase[])
    .filter(({ answer = 'accepted', steps = [] }) => answer === 'accepted' && steps.some(sendsForm))
    .map(({ name }) => name),
)

function sendsForm(step: CaseStep): boolean {
  return 'send' in step && step.send?.encoding === 'form'
}

const LOOK_AT_STATES: Advice = {
  text: 'If your app answers good webhooks in this way, pass --state-url: the state of an order shows whether a webhook was handled.',
  isForAll: true,
}

const READ_FIELDS: Advice = {
  text: 'No webhook pays its order, neither as a form nor as JSON. Log the fields that your app reads from a webhook: it must read data[pay_id], data[amount], data[user_id] and data[status], find the order, and store that it is paid. If it does store this, the address in --state-url returns an old copy of the order.',
  isForAll: true,
}

/** What is wrong if only the webhook of this case pays its order, and the app ignores or refuses the others. */
const PAYS_ONLY: Readonly<Record<string, Advice>> = {
  'amount-whole': {
    title: 'The payment of an order with cents, such as 42.50, does not pay it',
    text: 'A payment of 10 pays its order, and one of 42.50 does not. Read the amount with its cents, and compare cents. Before the cents is a point, whatever the language of your server.',
    isForAll: true,
  },
  'note-empty': {
    title: 'The payment of an order with a note does not pay it',
    text: 'The webhook of an order without a note pays it. Send the note unchanged, and do not confuse it with another field of the webhook.',
    isForAll: true,
  },
}

const PARSE_FORMS_TOO: Advice = {
  title: 'Your app reads webhooks in JSON, but not as forms',
  text: 'The receiver accepts only JSON. The service sends application/x-www-form-urlencoded, as the API reference shows: also parse forms.',
  isForAll: false,
}
