import { LATE_SECONDS } from '../../contract/checks/check-times.ts'
import { returnCancelled } from './scenarios/cancelled-orders.ts'
import type { CallerCase, CallerContext } from './caller-case.ts'
import { checkAmounts } from './scenarios/check-amounts.ts'
import { checkEmoji, checkEmptyNote, checkMarkup } from './scenarios/check-notes.ts'
import { checkFailedOrder } from './orders/check-order.ts'
import { checkRetryAfter } from './scenarios/check-retry-after.ts'
import { checkShownKey } from './scenarios/check-secrets.ts'
import { createOrder, placeOrder, type PlaceOptions } from './orders/place-order.ts'
import { orderWhileSlow } from './scenarios/order-while-slow.ts'
import {
  checkDoubleClick,
  checkSecondTab,
  orderAgainAfterFailure,
  orderAgainAfterPayment,
  orderAtOnce,
  orderSomethingElse,
  orderTheSame,
} from './scenarios/repeated-orders.ts'
import { openForgedAddresses } from './scenarios/forged-addresses.ts'
import { openNeighbor } from './scenarios/open-neighbor.ts'
import {
  payAndReturn,
  returnBeforeWebhook,
  returnCancelledAfterPayment,
  returnElsewhere,
  returnForged,
} from './scenarios/returning-customers.ts'

const RETRY_AFTER_SECONDS = 5

/** How long an app that repeats failed calls in the background may pause in between. */
const BACKGROUND_MS = 2_000

const ONE_LINK = 'at most one link is created, and the customer gets it or an error message'

const FAILURE = 'the customer gets an error message'

const AGAIN = 'Later, the same order gets a pay link'

const LINK = 'one link is created, and the customer gets it'

const SAME_LINK = 'the order has one pay link, or the app refunds what is paid twice'

/** Places an order while calls fail. Then, when the service works again, the customer orders the same again. */
const tryOrderTwice =
  (wanted: 'failure' | 'link or failure', options: PlaceOptions, backgroundMs?: number) =>
  (context: CallerContext): Promise<void> =>
    orderAgainAfterFailure(context, wanted, options, backgroundMs)

/** Places one order while calls fail, and checks what the customer gets. */
const tryOrder =
  (wanted: 'link' | 'failure' | 'link or failure', options: PlaceOptions = {}) =>
  async (context: CallerContext): Promise<void> => {
    const placed = await placeOrder(context, createOrder(), options)
    checkFailedOrder(context, placed, wanted, options)
  }

/** The test cases for an app that calls the API, in the sequence in which they run. */
export const callerCases = [
  {
    name: 'normal-order',
    group: 'order',
    title: 'An order while everything works',
    why: 'Correct this case first. Every other case compares with it.',
    expected: LINK,
    run: tryOrder('link'),
  },
  {
    name: 'request-lost',
    group: 'network',
    title: 'The connection breaks before the service has read the call',
    why: 'Tell the customer to try again. Your app cannot know whether a link exists.',
    expected: `${ONE_LINK}. ${AGAIN}`,
    run: tryOrderTwice('link or failure', { faults: ['drop-request'] }),
  },
  {
    name: 'answer-lost',
    group: 'network',
    title: 'The link is created, and the connection breaks before the answer',
    why: 'Do not repeat the call. The link may exist, and then both links can be paid.',
    expected: ONE_LINK,
    run: tryOrder('link or failure', { faults: ['reset'] }),
  },
  {
    name: 'late',
    group: 'network',
    title: `Links are created, and the answers are ${LATE_SECONDS} s late`,
    why: 'Set a timeout. If your app repeats the call, both links can be paid.',
    expected: `every customer gets an answer in time, and ${ONE_LINK}`,
    run: orderWhileSlow,
  },
  {
    name: 'web-page',
    group: 'network',
    title: 'A web page with HTTP 200 instead of JSON',
    why: 'Expect answers that are not JSON. A maintenance page looks like this.',
    expected: `${ONE_LINK}. ${AGAIN}`,
    run: tryOrderTwice('link or failure', { faults: ['html:before'] }),
  },
  {
    name: 'server-error-once',
    group: 'busy',
    title: 'The call fails with HTTP 503 once',
    why: 'Call again later, or show an error message. A proxy answers 503 while the service restarts.',
    expected: ONE_LINK,
    run: tryOrder('link or failure', { faults: ['503'] }),
  },
  {
    name: 'server-error-long',
    group: 'busy',
    title: 'Every call fails with HTTP 503. Later, the customer orders again',
    why: 'Limit your retries. Afterwards, customers must be able to pay.',
    expected: `few calls are made, and ${FAILURE}. ${AGAIN}`,
    run: tryOrderTwice('failure', { faults: ['503'], isForever: true }, BACKGROUND_MS),
  },
  {
    name: 'too-many-calls',
    group: 'busy',
    title: 'Every call is refused with HTTP 429 and no Retry-After',
    why: 'Limit your retries. Repeated calls use up the limit of all your customers.',
    expected: `few calls are made, and ${FAILURE}. ${AGAIN}`,
    run: tryOrderTwice('failure', { faults: ['429'], isForever: true }),
  },
  {
    name: 'retry-after',
    group: 'busy',
    title: `The first call is refused with HTTP 429 and Retry-After: ${RETRY_AFTER_SECONDS}`,
    why: 'Wait as long as Retry-After says. A call that comes earlier is refused again.',
    expected: `no call follows within ${RETRY_AFTER_SECONDS} s, and ${ONE_LINK}`,
    needs: ['running'],
    run: (context) => checkRetryAfter(context, RETRY_AFTER_SECONDS),
  },
  {
    name: 'refused',
    group: 'refusal',
    title: 'The service refuses the call with HTTP 200 and ResponseCode 0',
    why: 'Look at ResponseCode. An error can also have HTTP 200.',
    expected: `${FAILURE}. ${AGAIN}`,
    run: tryOrderTwice('failure', { faults: ['refuse:Payments are closed for maintenance'] }),
  },
  {
    name: 'refused-as-text',
    group: 'refusal',
    title: 'The service refuses the call, and ResponseCode is the text "0"',
    why: 'Compare ResponseCode with 1. In many languages the text "0" counts as true.',
    expected: FAILURE,
    run: tryOrder('failure', { faults: ['code-as-text:Payments are closed for maintenance'] }),
  },
  {
    name: 'created-as-text',
    group: 'refusal',
    title: 'The link is created, and ResponseCode is the text "1"',
    why: 'Create no second link. Your app may mistake the answer for an error.',
    expected: ONE_LINK,
    run: tryOrder('link or failure', { faults: ['code-as-text'] }),
  },
  {
    name: 'double-click',
    group: 'repetition',
    title: 'The customer clicks twice, and once more in another browser, while the first link is created',
    why: 'Mark the order before you call the service. Each extra link can be paid.',
    expected: SAME_LINK,
    needs: ['order'],
    run: checkDoubleClick,
  },
  {
    name: 'second-tab',
    group: 'repetition',
    title: 'The customer orders the same in a second tab',
    why: 'Store the pay link with the order, and show it again.',
    expected: SAME_LINK,
    needs: ['order'],
    run: (context) => checkSecondTab(context, 'same'),
    isBesideOthers: true,
  },
  {
    name: 'second-browser',
    group: 'repetition',
    title: 'The customer orders the same in another browser',
    why: 'Store the pay link with the order, not in the session.',
    expected: SAME_LINK,
    needs: ['order'],
    run: (context) => checkSecondTab(context, 'other'),
    isBesideOthers: true,
  },
  {
    name: 'second-tab-after-payment',
    group: 'repetition',
    title: 'The customer pays, and then orders the same in a second tab and in another browser',
    why: 'Create no link for a paid order. Another tab still has the button.',
    expected: 'the order gets no other link, and stays paid',
    needs: ['order', 'state'],
    run: orderAgainAfterPayment,
    isBesideOthers: true,
  },
  {
    name: 'second-order',
    group: 'repetition',
    title: 'A customer orders something, and then something else, and opens the page of the first order',
    why: 'Store the link with the order. A link in the session has the amount of the first order.',
    expected: LINK,
    needs: ['order', 'amount'],
    run: orderSomethingElse,
    isBesideOthers: true,
  },
  {
    name: 'orders-at-once',
    group: 'repetition',
    title: 'Two customers order different things, and the first one gets the later answer of the service',
    why: 'Keep the order in a variable of its request. In a shared variable, the next customer replaces it while your app waits.',
    expected: 'each customer gets the link of their own order, even at a second click',
    needs: ['order', 'amount'],
    run: orderAtOnce,
  },
  {
    name: 'equal-orders',
    group: 'repetition',
    title: 'Two customers order for the same price with the same note',
    why: 'Store the link with the order. Do not find it by price or note.',
    expected: 'each customer gets a link of their own',
    needs: ['order', 'note'],
    run: orderTheSame,
  },
  {
    name: 'amount-cents',
    group: 'amount',
    title:
      'Amounts like 10, 33.33 and 99.99, and those that floating-point arithmetic makes inexact, like 0.29 and 8.2',
    why: 'Round to cents instead of cutting. 8.2 * 100 is 819.9999999999999.',
    expected: 'each link has exactly the amount of its order',
    needs: ['amount'],
    run: (context) =>
      checkAmounts(context, [10, 0.29, 0.1 + 0.2, 1.1, 1.15, 8.2, 19.99, 33.33, 70.07, 99.99, 1019.95]),
    isBesideOthers: true,
  },
  {
    name: 'amount-large',
    group: 'amount',
    title: 'Large amounts: 123456.78, 1234567.89, 25000000',
    why: 'Send numbers without thousands separators.',
    expected: 'the link has exactly the amount of the order',
    needs: ['amount'],
    run: (context) => checkAmounts(context, [123_456.78, 1_234_567.89, 25_000_000]),
    isBesideOthers: true,
  },
  {
    name: 'note-markup',
    group: 'note',
    title: 'A note with markup',
    why: "Escape the note. A page that treats it as HTML runs a stranger's scripts.",
    expected: 'the link has the note of the order, and every page shows it as text',
    needs: ['note'],
    run: checkMarkup,
  },
  {
    name: 'note-emoji',
    group: 'note',
    title: 'A note with emoji and other characters beyond ASCII',
    why: 'Send JSON as UTF-8, and do not cut a character in two.',
    expected: 'the link has the note of the order',
    needs: ['note'],
    run: checkEmoji,
    isBesideOthers: true,
  },
  {
    name: 'note-empty',
    group: 'note',
    title: 'An order without a note',
    why: 'The note is optional.',
    expected: LINK,
    needs: ['note'],
    run: checkEmptyNote,
  },
  {
    name: 'return-before-webhook',
    group: 'return',
    title: 'The customer returns before the webhook, and again after it',
    why: 'Read the order again for each visit, and disable caching for the page.',
    expected:
      'the page works, the order is paid once after the webhook, and then the page shows that it is paid',
    needs: ['state'],
    run: returnBeforeWebhook,
    isBesideOthers: true,
  },
  {
    name: 'return-twice',
    group: 'return',
    title: 'The customer pays, and loads the return page twice',
    why: 'Ship, and send emails, when the webhook arrives, not when a page loads.',
    expected: 'the page works, and the order is paid once',
    needs: ['state'],
    run: (context) => payAndReturn(context, 2),
    isBesideOthers: true,
  },
  {
    name: 'return-never',
    group: 'return',
    title: 'The customer pays, and closes the browser',
    why: 'Do not wait for the redirect. Only the webhook confirms the payment.',
    expected: 'the order is paid once',
    needs: ['state'],
    run: (context) => payAndReturn(context, 0),
    isBesideOthers: true,
  },
  {
    name: 'return-forged',
    group: 'return',
    title: 'The customer returns with status=Success, and has not paid',
    why: 'Only show the stored state of the order, and never change it here. Anyone can type this address.',
    expected: 'the order is not paid, and no page shows it as paid',
    needs: ['paid'],
    run: returnForged,
    isBesideOthers: true,
  },
  {
    name: 'return-cancelled',
    group: 'return',
    title: 'The customer cancels, and returns with status=cancel',
    why: 'Say that the order was cancelled, or the customer waits for goods that never come.',
    expected: 'the page works, and does not say that the order is paid',
    needs: ['paid'],
    run: returnCancelled,
    isBesideOthers: true,
  },
  {
    name: 'return-cancelled-after-payment',
    group: 'return',
    title: 'The customer pays, returns with status=cancel, and cancels',
    why: 'Show the stored state, not the status in the address. A customer who is told to pay again pays twice.',
    expected: 'the page does not say that the payment has failed, and the order stays paid, or is refunded',
    needs: ['state'],
    run: returnCancelledAfterPayment,
    isBesideOthers: true,
  },
  {
    name: 'return-markup',
    group: 'return',
    title: 'Someone opens pages with HTML or another site in the URL',
    why: 'Escape what the address contains, and follow no address in it.',
    expected: 'the page shows the HTML as text, or not at all, and leads to no other site',
    run: openForgedAddresses,
  },
  {
    name: 'return-elsewhere',
    group: 'return',
    title: 'The customer pays on the phone, and the return page opens in another browser',
    why: 'Show the page without a session. Payment apps open it without your cookies.',
    expected: 'the page says that the order is paid, thanks the customer, or asks them to log in',
    needs: ['state', 'text'],
    run: returnElsewhere,
    isBesideOthers: true,
  },
  {
    name: 'order-of-another',
    group: 'secrets',
    title: 'Someone changes a number, the pay_id or the key in the URL of a page',
    why: 'Make URLs hard to guess or require a login, and do not cache the page.',
    expected: 'no page of another order opens',
    needs: ['note'],
    run: openNeighbor,
  },
  {
    name: 'api-key',
    group: 'secrets',
    title: 'Every page, script, redirect, cookie and URL, including error pages',
    why: 'Show the API key nowhere. Whoever has it can use the whole account.',
    expected: 'nothing contains the API key',
    run: checkShownKey,
  },
] as const satisfies readonly CallerCase[]

export type CallerCheckName = (typeof callerCases)[number]['name']
