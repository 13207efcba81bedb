import type { CallerProblem } from '../../contract/checks/caller-check.ts'
import type { CaseResult, CheckResult, ReceiverProblem } from '../../contract/checks/check.ts'
import { AGAIN_AFTER_FAILURE, mistakeTitles, NOTE_CASES, SINGLE_PAYMENTS } from './mistake-titles.ts'

/** What to do about problems that can appear in any case. For other problems, the case says it. */
export const receiverRemedies = {
  unreachable: "Check your app's log. No request, and no broken connection, may stop it.",
  'harmed-by-garbage':
    'Refuse what you cannot read before you store or queue it, and handle the next webhook. Anyone can send such a request.',
  'shared-link': 'Give each order a reference that no other order gets, even at the same moment.',
  'shared-reference':
    'Give each link a reference that no other order gets. A short random number occurs twice sooner than one expects, so use a UUID, or let the database refuse a number that exists.',
  'order-lost':
    'Keep each order that has a payment link, even a cancelled one. A customer can pay an old link after days.',
  'pays-another':
    'Give each order a number that no other order gets, even in the same second, and find the order of a webhook by this number.',
  'leaked-key':
    'Show no settings and no messages of errors. Whoever has the API key can use the whole account.',
  'leaked-order':
    'Show an order only at an address that nobody can guess. A pay_id in an address or in a webhook proves nothing, because anyone can guess it.',
  'unpaid-webhook':
    'Wait for the webhook. sendWebhookViaPayId sends the status that it is called with. The API reference does not say that the service refuses Success for an unpaid link, and then your app would take the order as paid.',
  'webhook-waits':
    'Hold no lock and no transaction while you call the service. When it is slow, the webhooks of all other orders wait, and one that gets no answer in time may never come again.',
  'wrong-record': 'Record each pay_id once, however often its webhook comes.',
  'not-accepted':
    'Answer each webhook of the service with a 2xx status, even if there is nothing left to do.',
  'set-back':
    'Set the state only if the webhook brings a new payment. Otherwise a shipped order looks as if it had to be shipped.',
  'not-refused': 'Answer it with a 4xx status, or with a 2xx status and do nothing.',
  'unasked-refund':
    'Call refundPayment only if your staff asks for the refund, or if another pay_id pays the order a second time.',
  'refund-call-refused':
    'Read the message, and correct the call: refund_amount in euros, with at most two decimals, and isFullRefund true only for the whole payment.',
  'refund-forgotten':
    'Remember that a refund got no answer. If the service then answers "Refund already requested", it has the refund: record it. Otherwise the order is shipped, although the money goes back.',
  'no-refund':
    "Check your app's log: it must call refundPayment with the pay_id and the amount of the payment. If the request for a refund does not reach it, correct --refund-url.",
  'redirect-loop':
    'Send the customer to a page that answers with 200. Two rules of your app, such as one that adds the language to an address and one that removes it, must not redirect to each other.',
  'page-fails': "Open this page yourself, and look at your app's log.",
  'order-refused': "Check your app's log. Shops must be able to take many orders at the same moment.",
  'unknown-state':
    "Check your app's log, or correct --state-url, --state-pointer, --count-pointer, --received-pointer or --refunded-pointer.",
} as const satisfies Partial<Record<ReceiverProblem, string>>

export const callerRemedies = {
  'unknown-state': receiverRemedies['unknown-state'],
  'redirect-loop': receiverRemedies['redirect-loop'],
  'page-fails': receiverRemedies['page-fails'],
  'posted-on': 'Redirect with 303. After 307 and 308, a browser repeats the POST with its body.',
  'garbled-page': 'Send pages as UTF-8, and say so in Content-Type.',
  'script-in-link': 'Link only to addresses of your own site, and best to none that the URL names.',
  'leaked-address':
    'Pass no address of an order to other sites. Whoever knows the address can open the order.',
  'open-proxy':
    'Let your server make each call itself, with values that it has computed. A browser must not choose operation or fields.',
  'leaked-webhook':
    'Give pages only the values that they show. Whoever knows the account and the address can send a webhook with status Success.',
  'dead-link':
    'Offer the newest open link of an order, or none, and let no browser keep a redirect to it. Nobody can pay a cancelled link.',
  'foreign-link':
    'Send each customer to the link that the service has just created for their order. If it has created none, show none.',
} as const satisfies Partial<Record<CallerProblem, string>>

const FULFILL_ONCE =
  'Do each step of the fulfillment once for a payment. If a number rises by more than 1 for a single order, such as a number of articles, leave it out of --count-pointer.'

const PLACED_AGAIN = 'Change nothing if a paid order is placed again. The second tab still has the button.'

const LINK_OF_ORDER =
  'Store the pay link with its order, not with the session of the customer, and create a link for each order.'

const ONE_REFUND =
  'Remember for which pay_id your app has requested a refund. However often the webhook of this payment comes, request no other one.'

const NOTE_IS_OPTIONAL =
  "Take orders without a note, because the field is optional in the API. Check your app's log for the reason."

const ENCODE_NOTES =
  'Encode what customers write before you put it into an address, for example with encodeURIComponent.'

const EXACT_AMOUNT =
  'Refund and record what was paid, to the cent. Neither round the amount, nor take the price of another link.'

const LET_ORDER_AGAIN =
  'When a call has failed, store this, and create a link at the next click. If your app marks an order whose payment is underway, end the mark with the call. If a link is open, because the customer has left the payment page, offer this link at the next click.'

const CORRECT_FOR_AMOUNT =
  'Read the message. Correct the call, or your app, for orders of this amount. A fixed fee, or a share, may exceed a low amount.'

const ONLY_SHOW =
  'Only show the stored state of the order on this page, and never change it. Anyone can open it.'

/** What to do about problems that the reason for the case is not about. */
export const remediesOfCases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'false-message': {
    'second-order': 'Show the order that the address names, not the latest one of the session.',
  },
  'fulfilled-again': {
    ...Object.fromEntries(SINGLE_PAYMENTS.map((name) => [name, FULFILL_ONCE])),
    'service-down':
      'Make the calls that can fail before you ship, or remember that you have shipped. A refused webhook comes again, and must not ship again.',
    'second-tab-after-payment': PLACED_AGAIN,
    'killed-after-answer':
      'Store that an order was fulfilled. When your app starts, it must not repeat what it has done.',
  },
  'no-link': {
    'amount-cents': CORRECT_FOR_AMOUNT,
    'amount-large': CORRECT_FOR_AMOUNT,
    'note-empty': NOTE_IS_OPTIONAL,
    ...Object.fromEntries(AGAIN_AFTER_FAILURE.map((name) => [name, LET_ORDER_AGAIN])),
  },
  'wrong-amount': {
    'amount-cents':
      'Create the link for the price of the order, to the cent. 8.2 * 100 is 819.9999999999999, so round to cents instead of cutting. If your app adds a net price and a tax, round them so that the sum stays the price.',
    'amount-large':
      'Create the link for the price of the order. Neither a column DECIMAL(8,2) nor 32 bits of cents hold every price: take a wider one, or refuse the order.',
  },
  'not-cancelled': {
    'killed-after-answer':
      'Store that an order was cancelled. Your app must change no state only because it starts.',
  },
  'wrong-refund': {
    'killed-after-answer':
      'When your app starts and fulfills what it has missed, leave out orders that were refunded meanwhile.',
    'service-down':
      'Record a refund only after the service has accepted it. A call that was not made, because the service is down, is no refund.',
    'refund-of-a-part':
      'Record the part that the service has accepted, once, and leave the rest paid. A later answer "Refund already requested" is about that part, not about another one.',
  },
  'harmed-by-garbage': {
    'unknown-pay-id':
      'Refuse a webhook that fits no order, and handle the next one. An error in one webhook must not stop those of other orders.',
  },
  'refund-forgotten': {
    'killed-after-answer':
      'When your app starts, treat a refund that was underway as unclear. Request it again with the same amount at the next click, and if the service answers "Refund already requested", record it or tell your staff.',
  },
  'shared-link': {
    'two-orders-of-one-customer': LINK_OF_ORDER,
    'second-order': LINK_OF_ORDER,
  },
  'refund-repeated': {
    'both-links-paid': ONE_REFUND,
    'second-payment': ONE_REFUND,
    'no-further-links':
      'Tell your staff that the service has refused the refund. Repeat the call a few times at most, after longer and longer pauses.',
  },
  'paid-without-payment': {
    'order-as-paid': 'Read only the fields that customers may choose. The state of an order is none of them.',
    'newer-link-paid':
      'Compare the amount and the user_id of each webhook, whichever link of the order it belongs to.',
  },
  'wrong-link': {
    'changed-order-paid':
      'Create a new link when the price changes, whether it rises or falls, and offer the newest link everywhere.',
    'refund-clicked-twice':
      'Create a new link, or tell the customer that the order is closed. Nobody can pay a link twice.',
  },
  'refund-amount': {
    'refund-clicked-twice': EXACT_AMOUNT,
    'refund-of-a-part': 'Request the amount that was asked for, to the cent.',
    'killed-after-answer':
      'Store the amount of a refund before you call the service, and request no other amount when your app starts again.',
    'both-links-paid': EXACT_AMOUNT,
  },
  'not-paid': {
    'webhook-before-order':
      'Store the order before you create its link, or refuse webhooks until you know it. When the answer with the link comes, leave a paid order paid.',
  },
  'not-accepted': {
    'changed-order-paid':
      'Give the customer a new link with the new price, or accept the payment of each link that you have shown with the amount of this link.',
    'killed-after-answer':
      'Store what your app needs to accept a webhook, such as your user_id, where it stores its orders. If it locks an order, let the lock end with the process that holds it, or after seconds. The API reference does not say that a refused webhook comes again. If the service sends it again, as the sandbox does with the behavior retries, a lock that outlasts the last attempt loses the payment.',
  },
  'wrong-record': {
    'refund-refused':
      'When a refund is done, change only what it changes. If you save the whole order as it was before the call, you undo what came meanwhile.',
  },
  'payment-forgotten': {
    'refund-refused':
      'Let one refund that fails stop no other one. Catch each failure, and try the next refund all the same.',
    'killed-after-answer':
      'Store in one transaction that the payment came and that it must be sent back. When your app starts, it requests the refunds that are still missing.',
  },
  'unasked-refund': {
    'refund-of-a-part':
      'Refuse an amount that is 0, negative or not a number. Only a request without an amount may refund everything.',
    'killed-after-answer':
      'Store which pay_ids your app has handled where it stores its orders. What is only in memory is gone when it starts again.',
  },
  'changed-after-refund': {
    'killed-after-answer':
      'Store that an order was refunded. If your app computes states at its start, the refunds count as well.',
  },
  'order-lost': {
    'many-at-once':
      'If two requests change the same file or row, let one wait for the other. Otherwise one overwrites what the other has just stored.',
    'killed-after-answer':
      'Store each order before you create its link. What is only in memory is gone when your app starts again.',
  },
  'order-refused': {
    'service-down':
      'Try the service again after a while. A circuit breaker must close by itself, without a restart of your app.',
    'killed-after-answer':
      'If your app marks or locks an order while it creates the link, store the time as well, and begin again when the mark is older than a call can take. If the mark expires after minutes, the customer waits that long. To see whether it does, pass a longer --timeout: the check waits 13 times as long.',
    'note-empty': NOTE_IS_OPTIONAL,
    ...Object.fromEntries(NOTE_CASES.map((name) => [name, `Check your app's log. ${ENCODE_NOTES}`])),
  },
  'page-fails': {
    'service-down': 'Show the stored state of the order, and call no service for it.',
    'note-odd': `Open this page yourself, and look at your app's log. ${ENCODE_NOTES}`,
  },
  'not-kept': {
    'killed-after-answer':
      'Store orders and payments in a file or a database. What is only in memory is gone when your app starts again.',
    'second-tab-after-payment': PLACED_AGAIN,
    'webhook-before-order':
      'When the answer with the link comes, store the link, and leave the state of the order as it is.',
    'return-twice': ONLY_SHOW,
    'return-cancelled-after-payment': ONLY_SHOW,
  },
} satisfies Partial<Record<ReceiverProblem | CallerProblem, Readonly<Record<string, string>>>>

/** Problems whose remedy says only how to answer, or when to refund. The case says what to do with the webhook. */
const WITH_REASON: ReadonlySet<string> = new Set<ReceiverProblem>([
  'not-accepted',
  'not-refused',
  'unasked-refund',
])

const NOT_IN_TIME =
  "Check your app's log. If your app handles webhooks in a queue, no other work, such as a call to the service, may hold up a payment. If it only needs longer, pass --timeout."

/** Whether a case is about payments that do not pay. Any other case only needs an order that is paid. */
const isAboutPaying = (name: string): boolean =>
  mistakeTitles['not-paid']!.some((titles) => Object.hasOwn(titles, name))

const LATER_WEBHOOK = "Check your app's log. A webhook must not affect how later webhooks are handled."

const SHOW_WHAT_IS_KNOWN =
  'Show what your app knows, such as that it waits for the payment, and let the page ask again later. A webhook can come minutes after the customer. If your app is slow only during the check, repeat the check while the machine does less.'

const ANSWER_SOONER =
  'Store what you received, answer, and do slow work afterwards. If only some webhooks take long, whatever they say, look for locks, and for work that your app does now and then. If your app is slow only during the check, repeat the check while the machine does less.'

/** What to do about a problem that a case has found: the remedy of the problem, the reason for the case, or both. */
export function remedyFor(
  remedies: Readonly<Record<string, string>>,
  problem: string,
  {
    name,
    isOtherOrder,
    isLate,
    why,
  }: Pick<CaseResult, 'name' | 'isLate' | 'why'> & Pick<CheckResult, 'isOtherOrder'>,
): string {
  if (isLate) return problem === 'page-fails' ? SHOW_WHAT_IS_KNOWN : ANSWER_SOONER
  if (problem === 'not-paid' && !isOtherOrder && !isAboutPaying(name)) return NOT_IN_TIME
  const ofCase = isOtherOrder ? undefined : remediesOfCases[problem]?.[name]
  const remedy = ofCase ?? remedies[problem]
  if (remedy === undefined) return isOtherOrder ? LATER_WEBHOOK : why
  return WITH_REASON.has(problem) && !isOtherOrder && ofCase === undefined ? `${remedy} ${why}` : remedy
}
