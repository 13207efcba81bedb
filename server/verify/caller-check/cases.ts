import { LATE_SECONDS } from '../../contract/checks/check-times.ts'
import type { CallerCase, CallerContext, CallerFailure } from './caller-case.ts'
import { checkAmounts } from './check-amounts.ts'
import { checkNote } from './check-notes.ts'
import { checkPlacedOrder } from './check-order.ts'
import { checkRetryAfter } from './check-retry-after.ts'
import { findShownKey } from './check-secrets.ts'
import { createOrder, placeOrder, type PlaceOptions } from './place-order.ts'
import {
  checkDoubleClick,
  checkSecondTab,
  orderAgainAfterFailure,
  orderAgainAfterPayment,
  orderSomethingElse,
} from './repeated-orders.ts'
import { openNeighbour } from './open-neighbour.ts'
import {
  payAndReturn,
  returnBeforeWebhook,
  returnCancelled,
  returnElsewhere,
  returnForged,
  returnWithMarkup,
} from './returning-customers.ts'

const RETRY_AFTER_SECONDS = 5

const ONE_LINK = 'at most one link is created, and the customer gets its pay link or an error message'

const FAILURE = 'the customer gets an error message'

const AGAIN = 'Later, the same order gets a pay link'

const LINK = 'one link is created, and the customer gets its pay link'

const SAME_LINK = 'the order has one pay link, or the app refunds what is paid twice'

const CANNOT_KNOW =
  'Your app cannot know whether the link exists. If it repeats the call, the order has two links, and both can be paid.'

const FLOATS =
  'Computers store 8.2 as a number slightly below it, and 8.2 * 100 is 819.9999999999999. Round to whole cents, and do not cut.'

/** Like `tryOrder`. Then the service works, and the customer orders again. */
const tryOrderTwice =
  (wanted: 'failure' | 'link or failure', options: PlaceOptions) =>
  (context: CallerContext): Promise<CallerFailure | undefined> =>
    orderAgainAfterFailure(context, wanted, options)

/** Places one order while calls fail, and checks what the customer gets. */
const tryOrder =
  (wanted: 'link' | 'failure' | 'link or failure', options: PlaceOptions = {}) =>
  async (context: CallerContext): Promise<CallerFailure | undefined> =>
    checkPlacedOrder(context, await placeOrder(context, createOrder(), options), wanted)

/** The test cases for an app that calls the API, in the sequence in which they run. */
export const callerCases = [
  {
    name: 'normal-order',
    group: 'order',
    title: 'An order while everything works',
    why: 'Every other case compares with this one.',
    expected: LINK,
    run: tryOrder('link'),
  },
  {
    name: 'request-lost',
    group: 'network',
    title: 'The connection breaks before the service has read the call',
    why: 'A lost call looks to your app like a lost answer. Tell the customer, and let the customer try again.',
    expected: `${ONE_LINK}. ${AGAIN}`,
    run: tryOrderTwice('link or failure', { faults: ['drop-request'] }),
  },
  {
    name: 'answer-lost',
    group: 'network',
    title: 'The link is created, and the connection breaks before the answer',
    why: CANNOT_KNOW,
    expected: ONE_LINK,
    run: tryOrder('link or failure', { faults: ['reset'] }),
  },
  {
    name: 'late',
    group: 'network',
    title: `The link is created, and the answer is ${LATE_SECONDS} s late`,
    why: `Customers do not wait for ${LATE_SECONDS} s. Set a timeout for calls. ${CANNOT_KNOW}`,
    expected: `the customer gets an answer in time, and ${ONE_LINK}`,
    run: async (context) =>
      tryOrder('link or failure', {
        faults: [`latency:${LATE_SECONDS}s`],
        timeoutMs: context.options.timeoutMs,
      })(context),
  },
  {
    name: 'web-page',
    group: 'network',
    title: 'A web page with HTTP 200 instead of JSON',
    why: 'During maintenance, a page can replace every answer. Code that parses it as JSON fails, and the customer sees an error of your app.',
    expected: `${ONE_LINK}. ${AGAIN}`,
    run: tryOrderTwice('link or failure', { faults: ['html:before'] }),
  },
  {
    name: 'server-error-once',
    group: 'busy',
    title: 'The call fails with HTTP 503 once',
    why: 'A proxy in front of the service answers with a web page while the service restarts.',
    expected: ONE_LINK,
    run: tryOrder('link or failure', { faults: ['503'] }),
  },
  {
    name: 'server-error-long',
    group: 'busy',
    title: 'Every call fails with HTTP 503. Later, the customer orders again',
    why: 'Calls that are repeated without a limit keep the service down. Once it works again, customers must be able to pay.',
    expected: `few calls are made, and ${FAILURE}. ${AGAIN}`,
    run: tryOrderTwice('failure', { faults: ['503'], isForever: true }),
  },
  {
    name: 'too-many-calls',
    group: 'busy',
    title: 'Every call is refused with HTTP 429 and no Retry-After',
    why: 'A limit can count all calls of your account. Calls that are repeated at once prolong it for all your customers.',
    expected: `few calls are made, and ${FAILURE}. ${AGAIN}`,
    run: tryOrderTwice('failure', { faults: ['429'], isForever: true }),
  },
  {
    name: 'retry-after',
    group: 'busy',
    title: `The first call is refused with HTTP 429 and Retry-After: ${RETRY_AFTER_SECONDS}`,
    why: 'The service says how long to wait. Calls before that are refused again.',
    expected: `no call follows within ${RETRY_AFTER_SECONDS} s, and ${ONE_LINK}`,
    needs: ['running'],
    run: (context) => checkRetryAfter(context, RETRY_AFTER_SECONDS),
  },
  {
    name: 'refused',
    group: 'refusal',
    title: 'The service refuses the call with HTTP 200 and ResponseCode 0',
    why: 'Errors can also have HTTP 200. An app that looks at the HTTP status only sends the customer to a payment that does not exist.',
    expected: `${FAILURE}. ${AGAIN}`,
    run: tryOrderTwice('failure', { faults: ['refuse:Payments are closed for maintenance'] }),
  },
  {
    name: 'refused-as-text',
    group: 'refusal',
    title: 'The service refuses the call, and ResponseCode is the text "0"',
    why: 'In many languages the text "0" counts as true. Compare ResponseCode with 1.',
    expected: FAILURE,
    run: tryOrder('failure', { faults: ['code-as-text:Payments are closed for maintenance'] }),
  },
  {
    name: 'created-as-text',
    group: 'refusal',
    title: 'The link is created, and ResponseCode is the text "1"',
    why: 'The API reference calls it a number. If your app reads the answer as a failure, it must not create a second link.',
    expected: ONE_LINK,
    run: tryOrder('link or failure', { faults: ['code-as-text'] }),
  },
  {
    name: 'double-click',
    group: 'repetition',
    title: 'The customer clicks twice, and once more in another browser, while the first link is created',
    why: 'Reserve the order before you call the service. Otherwise each click creates a link, and both can be paid.',
    expected: SAME_LINK,
    needs: ['order'],
    run: checkDoubleClick,
  },
  {
    name: 'second-tab',
    group: 'repetition',
    title: 'The customer orders the same in a second tab',
    why: 'Store the pay link with the order, and show it again. Otherwise the customer can pay in both tabs.',
    expected: SAME_LINK,
    needs: ['order'],
    run: (context) => checkSecondTab(context, 'same'),
    isBesideOthers: true,
  },
  {
    name: 'second-browser',
    group: 'repetition',
    title: 'The customer orders the same in another browser',
    why: 'Store the pay link with the order, not in the session. Otherwise the customer can pay on two devices.',
    expected: SAME_LINK,
    needs: ['order'],
    run: (context) => checkSecondTab(context, 'other'),
    isBesideOthers: true,
  },
  {
    name: 'second-tab-after-payment',
    group: 'repetition',
    title: 'The customer pays, and then orders the same in a second tab and in another browser',
    why: 'The second tab still shows the button. A paid order must not get another link, and stays paid.',
    expected: 'the order gets no other link, and stays paid',
    needs: ['order', 'state'],
    run: orderAgainAfterPayment,
    isBesideOthers: true,
  },
  {
    name: 'second-order',
    group: 'repetition',
    title: 'A customer who has ordered something orders something else',
    why: 'A link that is kept in the session belongs to the first order, and has its amount.',
    expected: LINK,
    needs: ['order', 'amount'],
    run: orderSomethingElse,
    isBesideOthers: true,
  },
  {
    name: 'amount-cents',
    group: 'amount',
    title: 'Amounts that floating-point arithmetic makes inexact, like 0.29, 8.2 and 70.07',
    why: FLOATS,
    expected: 'each link has exactly the amount of its order',
    needs: ['amount'],
    run: (context) => checkAmounts(context, [0.29, 0.1 + 0.2, 1.1, 1.15, 8.2, 19.99, 70.07, 1019.95]),
    isBesideOthers: true,
  },
  {
    name: 'amount-large',
    group: 'amount',
    title: 'An amount with thousands, 123456.78',
    why: 'A number that is formatted for people, like 123,456.78, is no number for the service.',
    expected: 'the link has exactly the amount of the order',
    needs: ['amount'],
    run: (context) => checkAmounts(context, [123_456.78]),
    isBesideOthers: true,
  },
  {
    name: 'note-markup',
    group: 'note',
    title: 'A note with markup',
    why: 'Customers write notes. A page that shows them as markup runs the scripts of a stranger.',
    expected: 'the link has the note of the order, and every page shows it as text',
    needs: ['note'],
    run: (context) => checkNote(context, '" onfocus="alert(1) <script>alert("Tom & Jerry")</script>'),
    isBesideOthers: true,
  },
  {
    name: 'note-emoji',
    group: 'note',
    title: 'A note with emoji and other characters beyond ASCII',
    why: 'Notes hold the names and words of customers. Send JSON as UTF-8, and do not cut a character in two.',
    expected: 'the link has the note of the order',
    needs: ['note'],
    run: (context) => checkNote(context, 'Zoë – 東京 ☕ 👩‍👩‍👧 🇪🇺'),
    isBesideOthers: true,
  },
  {
    name: 'return-before-webhook',
    group: 'return',
    title: 'The customer returns before the webhook arrives',
    why: 'The API reference does not say which of the two comes first.',
    expected: 'the page works, and after the webhook the order is paid, once',
    needs: ['state'],
    run: returnBeforeWebhook,
    isBesideOthers: true,
  },
  {
    name: 'return-twice',
    group: 'return',
    title: 'The customer pays, and loads the page of the shop twice',
    why: 'Customers reload pages. A page that fulfils the order sends the goods again.',
    expected: 'the page works, and the order is paid, once',
    needs: ['state'],
    run: (context) => payAndReturn(context, 2),
    isBesideOthers: true,
  },
  {
    name: 'return-never',
    group: 'return',
    title: 'The customer pays, and closes the browser',
    why: 'A browser that is closed never returns. Only the webhook confirms the payment.',
    expected: 'the order is paid, once',
    needs: ['state'],
    run: (context) => payAndReturn(context, 0),
    isBesideOthers: true,
  },
  {
    name: 'return-forged',
    group: 'return',
    title: 'The customer returns with status=Success, and has not paid',
    why: 'Anybody can type status=Success into an address. Only the webhook confirms the payment.',
    expected: 'the order is not paid, and no page says so',
    needs: ['paid'],
    run: returnForged,
    isBesideOthers: true,
  },
  {
    name: 'return-cancelled',
    group: 'return',
    title: 'The customer cancels, and returns with status=cancel',
    why: 'A customer who reads that the order is paid waits for it.',
    expected: 'the page works, and does not say that the order is paid',
    needs: ['paid'],
    run: returnCancelled,
    isBesideOthers: true,
  },
  {
    name: 'return-markup',
    group: 'return',
    title: 'Somebody opens the page with markup in its address',
    why: 'Anybody can send your customers such a link. A page that shows it as markup runs the scripts of a stranger.',
    expected: 'the page shows the address as text, or not at all',
    run: returnWithMarkup,
    isBesideOthers: true,
  },
  {
    name: 'return-elsewhere',
    group: 'return',
    title: 'The customer pays on the phone, and the page opens in another browser',
    why: 'Payment apps open the page in a browser without the cookies of your app. The customer must not see an empty cart.',
    expected: 'the page says that the order is paid, or asks the customer to log in',
    needs: ['state', 'text'],
    run: returnElsewhere,
    isBesideOthers: true,
  },
  {
    name: 'order-of-another',
    group: 'secrets',
    title:
      'Two customers open their pages one after the other, and somebody counts up a number in the address of an order',
    why: 'Orders contain names and addresses. Use an address that nobody can guess, or ask for a login, and do not cache the page.',
    expected: 'the page of another order does not open',
    needs: ['note'],
    run: openNeighbour,
  },
  {
    name: 'api-key',
    group: 'secrets',
    title: 'Every page, script, redirect, cookie and address of the check, and pages of failures',
    why: 'Anybody who has the API key can use the whole account. Never show it in a page, a cookie, an address or an error message.',
    expected: 'nothing contains the API key',
    run: findShownKey,
  },
] as const satisfies readonly CallerCase[]

export type CallerCheckName = (typeof callerCases)[number]['name']
