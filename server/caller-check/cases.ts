import type { CallerCase, CallerContext, Failure } from './caller-case.ts'
import { judgeOrder } from './judge-order.ts'
import { createOrder, placeOrder, type PlaceOptions } from './place-order.ts'

/** How late the service answers in the case `late`. */
export const LATE_SECONDS = 30

const LINK_OR_FAILURE =
  'at most one link is created, and the customer gets its pay link or the message that the payment could not be started'

const FAILURE = 'the customer gets the message that the payment could not be started'

/** Places one order while calls fail, and judges what the customer gets. */
const tryOrder =
  (wanted: 'link' | 'failure' | 'link or failure', options: PlaceOptions) =>
  async (context: CallerContext): Promise<Failure | undefined> =>
    judgeOrder(context, await placeOrder(context, createOrder(), options), wanted)

/** The test cases for an app that calls the API, in the order in which they run. */
export const callerCases = [
  {
    name: 'normal-order',
    group: 'order',
    title: 'An order while everything works',
    why: 'Every other case compares with this one.',
    expected: 'one link is created, and the customer gets its pay link',
    run: tryOrder('link', {}),
  },
  {
    name: 'answer-lost',
    group: 'network',
    title: 'The link is created, and the connection breaks before the answer',
    why: 'Your app cannot know whether the link exists. If it repeats the call, the order has two links, and both can be paid.',
    expected: LINK_OR_FAILURE,
    run: tryOrder('link or failure', { faults: ['reset'] }),
  },
  {
    name: 'server-error-once',
    group: 'network',
    title: 'The call fails with HTTP 503 once',
    why: 'A proxy in front of the service answers with a web page while the service restarts.',
    expected: LINK_OR_FAILURE,
    run: tryOrder('link or failure', { faults: ['503'] }),
  },
  {
    name: 'refused',
    group: 'refusal',
    title: 'The service refuses the call with HTTP 200 and ResponseCode 0',
    why: 'Errors have HTTP 200 too. An app that looks at the HTTP status only sends the customer to a payment that does not exist.',
    expected: FAILURE,
    run: tryOrder('failure', { faults: ['refuse:Payments are closed for maintenance'] }),
  },
] as const satisfies readonly CallerCase[]
