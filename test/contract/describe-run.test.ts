import { expect, test } from 'vitest'
import { describeReliance, describeUse } from '../../server/contract/format/describe-run.ts'
import type { RunReport } from '../../server/domain/events/run-report.ts'

const error = { operation: 'createLink', code: 'amountMissing', message: 'Please enter amount' }

/** A run with these counts. */
const runOf = (createLink: number, refundPayment: number, failed: number, card: number): RunReport => ({
  since: '2026-07-01T12:00:00.000Z',
  openPoints: [],
  operations: [
    { name: 'createLink', count: createLink },
    { name: 'refundPayment', count: refundPayment },
  ],
  documentedErrors: [{ ...error, count: failed }],
  outcomes: [
    { name: 'paidByCard', text: 'a payment by card', count: card },
    { name: 'cancelled', text: 'a cancelled payment', count: 0 },
  ],
})

test.for<[name: string, run: RunReport, sentences: readonly string[]]>([
  [
    'no call',
    runOf(0, 0, 0, 0),
    ['Your app made no API call. The variable PAYLINK_URL has the address of the sandbox.'],
  ],
  [
    'one call',
    runOf(1, 0, 0, 0),
    [
      'Your app made 1 API call, and used 1 of the 2 operations: createLink.',
      'Your app got none of the 1 documented errors.',
      'Of the 2 possible outcomes, such as a payment by card or a failed webhook, none happened.',
    ],
  ],
  [
    'everything but a cancellation',
    runOf(2, 1, 1, 3),
    [
      'Your app made 3 API calls, and used all 2 operations: createLink and refundPayment.',
      'Your app got all 1 documented errors.',
      'Of the 2 possible outcomes, 1 happened: a payment by card.',
    ],
  ],
])('a run with %s is described in sentences', ([, run, sentences]) =>
  expect(describeUse(run)).toEqual(sentences),
)

test('the run report counts the undocumented points', () => {
  expect([[], ['payId'], ['payId', 'retries']].map(describeReliance)).toEqual([
    'The run relies on no point that the API reference leaves open.',
    'The run relies on 1 point that the API reference leaves open. The real service may differ there, so ask the provider.',
    'The run relies on 2 points that the API reference leaves open. The real service may differ there, so ask the provider.',
  ])
})
