import { expect, test } from 'vitest'
import type { Attempt } from '../../server/domain/webhooks/delivery.ts'
import type { AttemptErrorCode } from '../../server/domain/webhooks/delivery-values.ts'
import { diagnoseAttempt } from '../../server/domain/diagnostics/diagnose-attempt.ts'

const FORM = 'application/x-www-form-urlencoded'

const attempt = (changes: Partial<Attempt>, body = ''): Attempt => ({
  status: 200,
  error: null,
  ms: 5,
  requestHeaders: [],
  responseHeaders: [],
  responseBody: new TextEncoder().encode(body),
  responseSize: body.length,
  ...changes,
})

const noAnswer = (errorCode: AttemptErrorCode): Attempt =>
  attempt({ status: null, error: 'it failed', errorCode })

const answered = (type: string, body: string, status = 200): Attempt =>
  attempt({ status, responseHeaders: [['Content-Type', type]] }, body)

const html = (body: string, status = 200): Attempt => answered('text/html; charset=utf-8', body, status)

test.each<[what: string, contentType: string, attempt: Attempt, codes: string[]]>([
  ['a quick 200', FORM, attempt({}), []],
  ['two seconds', FORM, attempt({ ms: 2000 }), []],
  ['more than two seconds', FORM, attempt({ ms: 2000.1 }), ['receiverSlow']],
  [
    'a 200 that does not end',
    FORM,
    attempt({ ms: 10_000, error: 'it failed', errorCode: 'answerIncomplete' }),
    ['receiverUnfinished'],
  ],
  [
    'a 500 that does not end',
    FORM,
    attempt({ ms: 10_000, status: 500, error: 'it failed', errorCode: 'answerIncomplete' }),
    ['receiverRefused', 'receiverSlow'],
  ],
  ['a slow answer of a tunnel that stored the webhook', FORM, attempt({ ms: 3000, storedIn: 'shop' }), []],
  ['slow and refused', FORM, attempt({ ms: 3000, status: 500 }), ['receiverRefused', 'receiverSlow']],
  ['415 for a form', FORM, attempt({ status: 415 }), ['receiverWantsJson']],
  ['415 for JSON', 'application/json', attempt({ status: 415 }), ['receiverRefused']],
  ['a 400 that mentions JSON', FORM, attempt({ status: 400 }, 'Invalid JSON'), ['receiverWantsJson']],
  ['a 400 that does not', FORM, attempt({ status: 400 }, 'Unknown order'), ['receiverRefused']],
  ['an "ok" that is sent as text/html', FORM, html('ok'), []],
  ['an empty answer that is sent as text/html', FORM, html(''), []],
  ['text with comparisons that is sent as text/html', FORM, html('1 < 2 and a <b@c.example>'), []],
  ['a login page', FORM, html('<!DOCTYPE html>\n<html><form action="/login">'), ['receiverShowedPage']],
  ['a page without a head', FORM, html('\n<h1>Welcome</h1>'), ['receiverShowedPage']],
  ['an error page', FORM, html('<title>500</title>', 500), ['receiverRefused']],
  ['markup that is sent as text/plain', FORM, answered('text/plain', '<p>ok</p>'), []],
  ['no answer', FORM, noAnswer('timeout'), ['receiverSlow']],
  ['no connection', FORM, noAnswer('connectionRefused'), ['receiverGone']],
])("a receiver's answer gets its finding: %s", (_what, contentType, one, codes) => {
  const found = diagnoseAttempt({ contentType, target: 'http://localhost/hook' }, one, false)

  expect(found.map(({ code }) => code)).toEqual(codes)
})

test.each<[target: string, error: AttemptErrorCode, code: string]>([
  ['http://localhost:3000/hook', 'connectionRefused', 'containerLocalhost'],
  ['http://app.localhost/hook', 'connectionRefused', 'containerLocalhost'],
  ['https://127.0.0.1/hook', 'connectionRefused', 'containerLocalhost'],
  ['http://[::1]:80/hook', 'connectionRefused', 'containerLocalhost'],
  ['http://localhost:3000/hook', 'timeout', 'receiverSlow'],
  ['http://192.168.0.7/hook', 'connectionRefused', 'receiverGone'],
  ['http://host.docker.internal/hook', 'hostUnknown', 'receiverGone'],
  ['/tunnel/shop', 'connectionRefused', 'receiverGone'],
])('an attempt from a container to %s with the error %s gets the finding %s', (target, error, code) => {
  const found = diagnoseAttempt({ contentType: FORM, target }, noAnswer(error), true)
  expect(found.map((one) => one.code)).toEqual([code])
})

test.each<[what: string, attempt: Attempt, seen: string]>([
  ['body and type', html('Log in\n first', 403), '403 "Log in first" (text/html; charset=utf-8)'],
  ['a type alone', html('', 500), '500 (text/html; charset=utf-8)'],
  ['neither', attempt({ status: 500 }), '500'],
])('a diagnostic shows the answer with its content type: %s', (_what, one, seen) => {
  const [found] = diagnoseAttempt({ contentType: FORM, target: 'http://localhost/hook' }, one, false)

  expect(found!.seen).toBe(`${seen}, from http://localhost/hook`)
})

const refusedWith = (body: string) =>
  diagnoseAttempt(
    { contentType: FORM, target: 'http://localhost/hook' },
    attempt({ status: 500 }, body),
    false,
  )[0]!

test('the advice about an exception in an answer is about the exception', () => {
  const adviceFor = (body: string) => refusedWith(body).fix
  expect(adviceFor('TypeError: x\n    at pay (/app/webhook.js:12:5)')).toBe(
    'Mend the TypeError at /app/webhook.js:12:5.',
  )
  expect(adviceFor('out of stock')).toMatch(/^Read the answer, /)
})

test('a long answer is shown in part, with an ellipsis', () => {
  const shownOf = (body: string) => refusedWith(body).seen
  expect(shownOf('x'.repeat(120))).toContain(`500 "${'x'.repeat(120)}"`)
  expect(shownOf('x'.repeat(121))).toContain(`500 "${'x'.repeat(120)}…"`)
})
