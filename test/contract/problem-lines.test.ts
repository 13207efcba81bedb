import { expect, test } from 'vitest'
import {
  explainWorst,
  plainCases,
  problemLines,
  receiverAdvice,
} from '../../server/contract/format/problem-lines.ts'
import { checkNames } from '../../server/verify/receiver-check/cases.ts'

const SHOW_NO_KEY = receiverAdvice['leaked-key']

const report = (problem: string, isOtherOrder?: true, advice: string | null = null) => ({
  receiver: 'http://127.0.0.1/webhooks',
  problems: [{ problem, title: 'A mistake', cases: ['one'] }],
  results: [
    { name: 'one', title: 'The case', seen: 'it failed', why: 'The reason for the case.', isOtherOrder },
  ],
  advice,
})

test.for([
  ['the reason for the case', report('fulfilled-again'), ['The reason for the case.']],
  ['the advice on the problem', report('leaked-key'), [SHOW_NO_KEY]],
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
    [SHOW_NO_KEY, 'Parse forms.'],
  ],
] as const)('the worst problem is followed by %s', ([, checked, remedies]) => {
  expect(explainWorst(checked)).toEqual(['A mistake. The case: it failed.', ...remedies, 'A mistake: one'])
})

test('the case that explains the problem best comes before the first one that failed', () => {
  const cases = ['missing-amount', 'forged-user', 'repeated', 'forged-amount']
  const results = cases.map((name) => ({ name, title: name, seen: 'it failed', why: `Advice of ${name}.` }))
  const found = { problems: [{ problem: 'paid-without-payment', title: 'A mistake', cases }], results }

  expect(explainWorst(found)).toEqual([
    'A mistake. forged-amount: it failed.',
    'Advice of forged-amount.',
    'A mistake: missing-amount, forged-user, repeated and 1 more',
  ])
  expect(checkNames).toEqual(expect.arrayContaining(Object.values(plainCases).flat()))
})

test('each problem has its remedy, for coding assistants and in the inspector', () => {
  const { problems, results } = report('fulfilled-again')
  const found = {
    problems: [...problems, { problem: 'page-fails', title: 'Another mistake', cases: ['two'] }],
    results: [...results, { name: 'two', title: 'Another case', seen: 'it failed', why: 'Another reason.' }],
  }
  const lines = ['A mistake: one. The reason for the case.', 'Another mistake: two. Another reason.']

  expect(problemLines(found)).toEqual(lines)
  expect(explainWorst(found).at(-1)).toBe(lines[1])
})
