import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createForgedMark } from '../../server/domain/faults/fault.ts'
import { verdictOfEvents } from '../../server/contract/format/verdict.ts'
import { about, attempted, delivery, paid, stored } from '../ui/event.ts'

const of = (payId: number, event: EventView): EventView =>
  ({ ...event, payId, ...('deliveryId' in event && { deliveryId: payId }) }) as EventView
const payment = (payId: number, ...events: readonly EventView[]): EventView[] =>
  [paid, ...events].map((event) => of(payId, event))
const verdictOn = (...payments: readonly EventView[][]) =>
  verdictOfEvents(payments.flat().map((event, index) => ({ ...event, seq: index + 1 })))

const failed = (changes: object) => attempted({ httpStatus: 500, state: 'failed', ...changes })
const held = {
  ...about,
  ...delivery,
  type: 'delivery.held',
  host: 'shop.example.com',
  hostScope: 'public',
} as unknown as EventView
const cancelled = { ...about, type: 'link.cancelled', entryPoint: 'checkout' } as unknown as EventView

const elsewhere = attempted({ cause: 'replay', replayOf: 1, target: 'http://localhost:3000/new' })
const changed = attempted({ cause: 'replay', replayOf: 1, fault: createForgedMark('body') })

test('the verdict on a run says how many payments failed, why, and what to do', () => {
  const trace = failed({ errorName: 'TypeError', errorPlace: '/app/webhook.js:12' })

  const { headline, reason, remedy, causes } = verdictOn(
    payment(1, attempted()),
    payment(2, trace),
    payment(3, trace),
    payment(4, trace),
  )

  expect(headline).toBe('3 of 4 paid payments have not reached your app.')
  expect(reason).toBe('All 3: 500 from localhost:3000, TypeError in /app/webhook.js:12.')
  expect(remedy).toBe('Fix the exception at /app/webhook.js:12, then replay 3.')
  expect(causes).toMatchObject([{ payIds: [2, 3, 4], deliveryIds: [2, 3, 4], place: '/app/webhook.js:12' }])
})

test.each<[title: string, events: readonly EventView[], reason: string, remedy: string]>([
  [
    'nothing listens',
    [failed({ httpStatus: null, error: 'connect ECONNREFUSED', errorCode: 'connectionRefused' })],
    'Nothing listens on localhost:3000.',
    'Start your app on localhost:3000, then replay the webhook.',
  ],
  [
    'a slow app',
    [failed({ httpStatus: null, error: 'no answer in time', errorCode: 'timeout' })],
    'No answer from localhost:3000 in time.',
    'Store the webhook, answer it, and do the slow work afterwards, then replay the webhook.',
  ],
  [
    'a login',
    [failed({ httpStatus: 302, redirectedTo: '/login?next=x' })],
    '302 from localhost:3000 to /login.',
    'Exclude /hooks from the login check, then replay the webhook.',
  ],
  [
    'an unknown route',
    [failed({ httpStatus: 404, responseText: 'Not Found' })],
    '404 from localhost:3000: “Not Found”.',
    'Add a route for POST /hooks, or correct the address of the webhook, then replay the webhook.',
  ],
  [
    'a retry',
    [failed({ state: 'pending', nextAttemptAt: about.at })],
    '500 from localhost:3000.',
    'Find the error in the log of localhost:3000, and fix it, then replay the webhook.',
  ],
  [
    'a held webhook',
    [held],
    'Held, because shop.example.com is not on this machine.',
    'Map shop.example.com to your local app, or allow it.',
  ],
])('the verdict on a run names the cause of %s', (_title, events, reason, remedy) => {
  expect(verdictOn(payment(1, ...events))).toMatchObject({
    missed: 1,
    headline: 'The paid payment has not reached your app.',
    reason,
    remedy,
  })
})

test('the verdict on a run counts several causes, the most frequent first', () => {
  const refused = failed({ httpStatus: null, errorCode: 'connectionRefused' })

  const { reason, remedy } = verdictOn(payment(1, failed({})), payment(2, refused), payment(3, refused))

  expect(reason).toBe('2 payments: nothing listens on localhost:3000. 1 payment: 500 from localhost:3000.')
  expect(remedy).toBe('Start your app on localhost:3000, then replay 3.')
})

test.each<[headline: string, tone: string, payments: EventView[][]]>([
  ['No payment has been paid or cancelled.', 'plain', []],
  ['The paid payment has reached your app.', 'ok', [payment(1, attempted())]],
  ['All 2 paid payments have reached your app.', 'ok', [payment(1, attempted()), payment(2, attempted())]],
  ['The paid payment has no webhook.', 'plain', [payment(1)]],
  [
    'The webhook of the paid payment is stored in a tunnel. Your app has not seen it.',
    'plain',
    [payment(1, stored)],
  ],
  [
    'The webhooks of all 2 paid payments are stored in a tunnel. Your app has not seen them.',
    'plain',
    [payment(1, stored), payment(2, stored)],
  ],
  [
    '1 of 2 paid or cancelled payments has not reached your app.',
    'err',
    [payment(1, attempted()), [of(2, cancelled), of(2, failed({}))]],
  ],
  ['None of the 2 paid payments has reached your app.', 'err', [payment(1, failed({})), payment(2, held)]],
  // One replay arrived, and one webhook is still being sent.
  ['The paid payment has reached your app.', 'ok', [payment(1, failed({}), attempted({ attempt: 2 }))]],
  // One replay went to another address, the others had changed bytes.
  ['The paid payment has reached your app at another address.', 'ok', [payment(1, failed({}), elsewhere)]],
  [
    'All 2 paid payments have reached your app, 1 of them at another address.',
    'ok',
    [payment(1, failed({}), elsewhere), payment(2, attempted())],
  ],
  ['The paid payment has not reached your app.', 'err', [payment(1, failed({}), changed)]],
  ['The paid payment has no webhook.', 'plain', [payment(1, changed)]],
  [
    'The webhook of the paid payment is on its way.',
    'plain',
    [payment(1, { ...delivery, type: 'delivery.queued', assumed: [] } as EventView)],
  ],
])('the verdict on a run can be "%s"', (headline, tone, payments) => {
  expect(verdictOn(...payments)).toMatchObject({ headline, tone })
})
