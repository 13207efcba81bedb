import type { CheckCase } from '../check-case.ts'
import { countCalls, reloadPage, webhookDuringRedirect } from '../scenarios/visits.ts'

/** Cases about the sequence of order, webhook and return, and about an app that starts again. */
export const sequenceCases = [
  {
    name: 'killed-after-answer',
    group: 'sequence',
    title:
      'The app is killed right after webhooks, during a refund, and while it creates a link, and starts again',
    why: 'Store a webhook before you answer. It may never come again.',
    steps: [{ send: {} }, { restart: 'app' }],
    finalOrder: 'paid',
    isAlone: true,
  },
  {
    name: 'webhook-before-order',
    group: 'sequence',
    title: 'The webhook arrives before your app knows the link, and again if it was refused',
    why: 'Store the order before you create its link, or refuse webhooks until you know it.',
    steps: [{ send: {} }],
    finalOrder: 'paid',
    isBeforeLink: true,
    isAlone: true,
  },
  {
    name: 'redirect-before-webhook',
    group: 'sequence',
    title: 'The customer returns first, then the webhook arrives',
    why: 'Wait for the webhook. Redirect and webhook can come in either sequence.',
    steps: [{ browser: 'Success' }, { send: {} }],
    finalOrder: 'paid',
  },
  {
    name: 'webhook-during-redirect',
    group: 'sequence',
    title: 'The webhook arrives while the return page loads, or the reverse',
    why: 'Change only what the page must change. If it saves the whole order, it undoes the payment.',
    run: webhookDuringRedirect,
    isLong: true,
    needs: ['account'],
  },
  {
    name: 'returned-often',
    group: 'sequence',
    title: 'The customer pays, and loads the return page many times, even in several tabs at once',
    why: 'Ship, and send emails, only in the step that marks the order as paid, not when a page loads.',
    steps: [
      { send: {} },
      { until: 'paid' },
      { browser: 'Success', isOpenedOften: true },
      { browser: 'Success' },
      { browser: 'none' },
    ],
    finalOrder: 'paid-once',
    times: 20,
    isQuick: true,
    isLong: true,
  },
  {
    name: 'page-reloaded',
    group: 'sequence',
    title: 'The customer loads the page of an open or cancelled order three times',
    why: 'Store the pay link with the order, or each visit creates a link that can be paid.',
    run: reloadPage,
    needs: ['account'],
    isAlone: true,
    isQuick: true,
  },
  {
    name: 'calls-after-payment',
    group: 'sequence',
    title:
      'The calls of your app after a payment, its repetition, a late cancel and three visits to the page',
    why: 'Do not call the service again for a paid order.',
    run: countCalls,
    needs: ['account'],
    isAlone: true,
  },
] as const satisfies readonly CheckCase[]
