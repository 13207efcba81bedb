import { expect, test } from 'vitest'
import { plainCases, worstProblemLines } from '../../server/contract/format/problem-lines.ts'
import { checkNames } from '../../server/verify/receiver-check/cases.ts'

const adviceOn = { 'leaked-key': 'Show no key.' }

const report = (problem: string, isOtherOrder?: true, advice: string | null = null) => ({
  problems: [{ problem, title: 'A mistake', cases: ['one'] }],
  results: [
    { name: 'one', title: 'The case', seen: 'it failed', why: 'The reason for the case.', isOtherOrder },
  ],
  advice,
})

test.for([
  ['the reason for the case', report('fulfilled-again'), ['The reason for the case.']],
  ['the advice on the problem', report('leaked-key'), ['Show no key.']],
  [
    'a remedy that fits any case, if only a later webhook failed',
    report('not-paid', true),
    ['Look at the log of your app. A webhook must not change what later webhooks do.'],
  ],
  [
    'the advice of the report, if it explains the problem',
    report('not-accepted', undefined, 'Parse forms.'),
    ['Parse forms.'],
  ],
  [
    'the remedy of a worse problem, and then the advice of the report',
    report('leaked-key', undefined, 'Parse forms.'),
    ['Show no key.', 'Parse forms.'],
  ],
] as const)('the worst problem is followed by %s', ([, checked, remedies]) => {
  expect(worstProblemLines(checked, adviceOn)).toEqual(['A mistake. The case: it failed.', ...remedies])
})

test('the case that explains the problem best comes before the first one that failed', () => {
  const cases = ['missing-amount', 'forged-user', 'repeated', 'forged-amount']
  const results = cases.map((name) => ({ name, title: name, seen: 'it failed', why: `Advice of ${name}.` }))
  const found = { problems: [{ problem: 'paid-without-payment', title: 'A mistake', cases }], results }

  expect(worstProblemLines(found)).toEqual([
    'A mistake. forged-amount: it failed.',
    'Advice of forged-amount.',
  ])
  expect(checkNames).toEqual(expect.arrayContaining(Object.values(plainCases).flat()))
})
