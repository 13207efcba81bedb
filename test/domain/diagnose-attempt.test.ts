import { expect, test } from 'vitest'
import type { Attempt } from '../../server/domain/delivery.ts'
import { diagnoseAttempt } from '../../server/domain/diagnose-attempt.ts'

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

test.each<[what: string, contentType: string, attempt: Attempt, codes: string[]]>([
  ['a quick 200', FORM, attempt({}), []],
  ['two seconds', FORM, attempt({ ms: 2000 }), []],
  ['more than two seconds', FORM, attempt({ ms: 2000.1 }), ['receiverSlow']],
  ['slow and refused', FORM, attempt({ ms: 3000, status: 500 }), ['receiverRefused', 'receiverSlow']],
  ['415 for a form', FORM, attempt({ status: 415 }), ['receiverWantsJson']],
  ['415 for JSON', 'application/json', attempt({ status: 415 }), ['receiverRefused']],
  ['a 400 that speaks of JSON', FORM, attempt({ status: 400 }, 'Invalid JSON'), ['receiverWantsJson']],
  ['a 400 that does not', FORM, attempt({ status: 400 }, 'Unknown order'), ['receiverRefused']],
  ['no answer', FORM, attempt({ status: null, error: 'no answer within 10 s' }), ['receiverGone']],
])('%s', (_what, contentType, one, codes) => {
  const found = diagnoseAttempt({ contentType, target: 'http://localhost/hook' }, one)

  expect(found.map(({ code }) => code)).toEqual(codes)
})
