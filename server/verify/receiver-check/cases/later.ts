import type { CheckCase } from '../check-case.ts'
import { cancelLate, countLinks, findShownKey, payLate, repeatLate, reviewOrders } from '../closing-look.ts'

/** Cases at the end of the check. */
export const laterCases = [
  {
    name: 'late-payment',
    group: 'later',
    title: 'The first order of the check, and a cancelled one, are paid at the end of the check',
    why: 'Fulfill the order, or refund it. A bank transfer can take days.',
    run: payLate,
    needs: ['account'],
    orRefunded: true,
    isLast: true,
  },
  {
    name: 'closing-look',
    group: 'later',
    title: 'At the end, the check reads every order again',
    why: 'Check timers, queues and caches. They can change an order later.',
    run: reviewOrders,
    needs: ['state'],
    isLast: true,
  },
  {
    name: 'late-repetition',
    group: 'later',
    title: 'At the end, the first webhook of every order comes again',
    why: 'Remember each pay_id as long as its order. sendWebhookViaPayId can repeat a webhook after days.',
    run: repeatLate,
    needs: ['state'],
    isLast: true,
  },
  {
    name: 'late-cancel',
    group: 'later',
    title: 'At the end, a cancel of every paid order, and every return page again',
    why: 'Change no paid order, however it is called meanwhile. Cancels can be late, and customers use the back button.',
    run: cancelLate,
    needs: ['state'],
    isLast: true,
  },
  {
    name: 'no-further-links',
    group: 'later',
    title: 'The links that your app created, and the webhooks and refunds that it requested again',
    why: 'Create only the links that customers ask for. Others can also be paid, and endless calls reach the rate limit.',
    run: countLinks,
    needs: ['account'],
    isLast: true,
  },
  {
    name: 'api-key',
    group: 'later',
    title: 'Every answer to an order or a webhook, and every page of a customer',
    why: 'Show the API key nowhere. Whoever has it can use the whole account.',
    run: findShownKey,
    needs: ['account'],
    isLast: true,
  },
] as const satisfies readonly CheckCase[]
