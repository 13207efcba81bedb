import { expect, test } from 'vitest'
import { callRefused } from '../../../server/verify/app/run/check-error.ts'
import { describeVariant } from '../../../server/verify/receiver-check/describe-variant.ts'
import { listNotChecked } from '../../../server/verify/app/run/summarize.ts'

const skipped = (name: string, seen: string, example?: string) => ({
  name,
  skipReason: 'order' as const,
  seen,
  ...(example === undefined ? {} : { example }),
})

test('cases that are skipped for one reason are one line, even if the app did different things', () => {
  const results = [
    skipped('note-empty', 'the app writes its own notes', '"Order 1" instead of ""'),
    skipped('cancelled', 'no customer can return'),
    skipped('note-utf8', 'the app writes its own notes', '"Order 2" instead of "a \\" b"'),
    skipped('two-orders', 'a customer cannot have two open orders', 'it answered 409'),
    { name: 'repeated', skipReason: null, seen: '200' },
  ]

  expect(listNotChecked(results, undefined).slice(1)).toEqual([
    '2 cases (note-empty and note-utf8), because the app writes its own notes: "Order 1" instead of "".',
    'cancelled, because no customer can return.',
    'two-orders, because a customer cannot have two open orders: it answered 409.',
  ])
})

test('the gravest reason why cases were skipped comes first', () => {
  const results = [
    skipped('note-empty', 'the app writes its own notes'),
    skipped('cancelled', 'nobody can pay'),
  ]

  expect(listNotChecked(results, undefined, 'nobody can pay').slice(1)).toEqual([
    'cancelled, because nobody can pay.',
    'note-empty, because the app writes its own notes.',
  ])
})

test.for([
  [
    'sharesExceed',
    'Share should be less than or equal to 42.5',
    '{"recipients":[{"share":4.25},{"share":38.46}]}',
    /of createSplitLink .*"Share .* 42\.5"\. Your app sent \{.*\}\. The shares are 4\.25 \+ 38\.46 = 42\.71\. .*must not exceed it/,
  ],
  [
    'percentagesExceed',
    'Share should be less than 100',
    '{"recipients":[{"share":120}]}',
    /The shares are 120\. .*split_type "absolute"/,
  ],
  [
    'tokenMissing',
    'Please enter token',
    '',
    /for the order: "Please enter token"\. Give your app the API key/,
  ],
  [
    'amountMissing',
    'Please enter amount',
    '{"note":"x"}',
    /sent \{"note":"x"\}\. .*correct --order-body\. The customer saw: 503\.$/,
  ],
] as const)('the refusal %s says what the app sent and what to do', ([errorCode, message, sent, said]) => {
  const refused = { operation: 'createSplitLink', errorCode, message, sent }
  expect(callRefused(refused, '503').message).toMatch(said)
})

test('a variant of a case says what is special about it', () => {
  expect(describeVariant({ send: { amount: 'no-number' } })).toBe('with the amount NaN')
  expect(describeVariant({ amount: 8.2, send: { status: 'Pending' } })).toBe(
    'with an order of €8.20 and the status "Pending"',
  )
  expect(describeVariant({ send: { encoding: 'json' } })).toBe('as JSON')
  expect(describeVariant({ send: { omit: 'amount', encoding: 'json' } })).toBe('with no amount, as JSON')
  expect(describeVariant({ send: { encoding: 'form' } })).toBeUndefined()
})
