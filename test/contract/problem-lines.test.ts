import { expect, test } from 'vitest'
import { checkFlag, sharedOptions } from '../../server/contract/checks/check-options.ts'
import { plainCases, problemLines, receiverAdvice } from '../../server/contract/format/problem-lines.ts'
import { checkNames } from '../../server/verify/receiver-check/cases.ts'

const report = (problem: string, isOtherOrder?: true, advice: string | null = null) => ({
  receiver: 'http://127.0.0.1/webhooks',
  problems: [{ problem, title: 'A mistake', cases: ['one'] }],
  results: [{ name: 'one', seen: 'it failed', why: 'The reason for the case.', isOtherOrder }],
  advice,
})

test.for([
  ['the reason for the case', report('fulfilled-again'), '. The reason for the case.'],
  ['the advice on the problem', report('leaked-key'), `. ${receiverAdvice['leaked-key']}`],
  [
    'the advice on the problem, and the reason for the case',
    report('not-refused'),
    `. ${receiverAdvice['not-refused']} The reason for the case.`,
  ],
  [
    'a remedy that fits any case, if only a later webhook failed',
    report('not-paid', true),
    '. Look at the log of your app. A webhook must not change what later webhooks do.',
  ],
  ['nothing, if the advice of the report explains it', report('not-accepted', undefined, 'Parse forms.'), ''],
] as const)('a problem is followed by %s', ([, checked, remedy]) => {
  expect(problemLines(checked)).toEqual([`A mistake: one${remedy}`])
})

test('the remedy for a state that cannot be read names the address and every pointer', () => {
  const pointers = Object.keys(sharedOptions).filter((option) => option.endsWith('Pointer'))
  const named = receiverAdvice['unknown-state'].match(/--[a-z-]+/g)

  expect(named).toEqual(['stateUrl', ...pointers].map((option) => `--${checkFlag(option)}`))
})

test('the remedy is that of the case that explains the problem best', () => {
  const cases = ['missing-amount', 'forged-user', 'repeated', 'forged-amount']
  const results = cases.map((name) => ({ name, seen: 'it failed', why: `Advice of ${name}.` }))
  const found = { problems: [{ problem: 'paid-without-payment', title: 'A mistake', cases }], results }

  expect(problemLines(found)).toEqual([
    'A mistake: missing-amount, forged-user, repeated, forged-amount. Advice of forged-amount.',
  ])
  expect(checkNames).toEqual(expect.arrayContaining(Object.values(plainCases).flat()))
})

test('each problem has its remedy, for coding assistants and in the inspector', () => {
  const { problems, results } = report('fulfilled-again')
  const found = {
    problems: [...problems, { problem: 'page-fails', title: 'Another mistake', cases: ['two'] }],
    results: [...results, { name: 'two', seen: 'it failed', why: 'Another reason.' }],
  }

  expect(problemLines(found)).toEqual([
    'A mistake: one. The reason for the case.',
    'Another mistake: two. Another reason.',
  ])
})
