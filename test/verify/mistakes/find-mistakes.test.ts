import { expect, test } from 'vitest'
import { mistakeLines } from '../../../server/contract/format/mistake-lines.ts'
import { mistakeTitles } from '../../../server/verify/mistakes/mistake-titles.ts'
import { callerProblems } from '../../../server/contract/checks/caller-check.ts'
import { type ProblemCases, receiverProblems } from '../../../server/contract/checks/check.ts'
import { type Advice, findMistakes } from '../../../server/verify/mistakes/find-mistakes.ts'
import { receiverRemedies, remediesOfCases } from '../../../server/verify/mistakes/remedies.ts'
import { callerCases } from '../../../server/verify/caller-check/cases.ts'
import { checkCases } from '../../../server/verify/receiver-check/cases.ts'

const failed = (name: string) => ({ name, title: `Case ${name}`, seen: 'it failed', why: `Mend ${name}.` })

const linesOf = (report: {
  readonly problems: readonly ProblemCases<string>[]
  readonly results: readonly ReturnType<typeof failed>[]
  readonly advice?: Advice
}): string[] =>
  mistakeLines({
    ...report,
    advice: report.advice?.text,
    mistakes: findMistakes(report, { ...report, remedies: receiverRemedies }),
  })

const found = (problem: string, names: readonly string[], more: object = {}) => ({
  problems: [{ problem, title: 'A mistake', cases: names }],
  results: names.map((name) => ({ ...failed(name), ...more })),
})

test('a mistake is named by the case that explains it best, and other cases are listed', () => {
  const cases = ['cancel-redirect-after-success', 'returned-often', 'webhook-during-redirect', 'late-payment']

  expect(linesOf(found('fulfilled-again', cases))).toEqual([
    'Each visit to the return page of a paid order fulfills it again.',
    '  returned-often: Case returned-often.',
    '  Seen: it failed.',
    '  What to do: Mend returned-often.',
    '  Also failed, probably for the same reason: cancel-redirect-after-success, webhook-during-redirect and late-payment.',
  ])
})

test.for<[isForAll: boolean, further: readonly string[]]>([
  [false, ['If the customer returns before the webhook comes, the payment does not pay the order.']],
  [true, []],
])(
  'advice comes first, and explains all failed payments only if no webhook is handled: %s',
  ([isForAll, further]) => {
    const problems = [
      { problem: 'not-paid', title: 'An order is not paid', cases: ['redirect-before-webhook'] },
      { problem: 'not-accepted', title: 'A webhook is refused', cases: ['form-encoded-brackets'] },
    ]
    const results = ['redirect-before-webhook', 'form-encoded-brackets'].map(failed)
    const advice = { title: 'Your app reads no forms', text: 'Read forms.', isForAll }
    const lines = linesOf({ problems, results, advice })

    expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['Your app reads no forms.', ...further])
    expect(lines[1]).toBe('  form-encoded-brackets: Case form-encoded-brackets.')
    expect(lines[3]).toBe('  What to do: Read forms.')
  },
)

test('two mistakes that have the same consequence are reported separately', () => {
  const lines = linesOf(
    found('paid-without-payment', ['forged-user', 'amount-rounded', 'forged-amount', 'late-payment']),
  )

  expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
    'A webhook with a wrong amount marks the order as paid.',
    'A webhook with the user_id of another account marks the order as paid.',
  ])
  expect(lines[4]).toBe('  Also failed, probably for the same reason: amount-rounded and late-payment.')
})

test('what only two webhooks at once have shown is a consequence of webhooks that are handled after the answer', () => {
  const problems = [
    {
      problem: 'fulfilled-again',
      title: 'Twice',
      cases: ['second-payment-at-once', 'both-links-paid-at-once'],
    },
    { problem: 'not-accepted', title: 'Refused', cases: ['pay-id-large'] },
    { problem: 'not-paid', title: 'Not paid', cases: ['killed-after-answer'] },
  ]
  const results = problems.flatMap(({ cases }) => cases.map(failed))
  const lines = linesOf({ problems, results })

  expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
    'A payment is lost if the app stops right after its answer to the webhook.',
    'Your app refuses a large pay_id.',
  ])
  expect(lines).toContain(
    '  Also failed, probably for the same reason: second-payment-at-once and both-links-paid-at-once.',
  )
})

test.for([
  [
    'an app that takes the id of a link for the pay_id',
    [
      ['not-paid', 'pay-id-is-not-id'],
      ['not-paid', 'webhook-before-order'],
    ],
  ],
  [
    'a visit that pays',
    [
      ['paid-without-payment', 'visit-alone'],
      ['changed-after-cancel', 'cancelled-twice'],
      ['wrong-record', 'cancel-redirect-after-success'],
    ],
  ],
  [
    'a refused webhook that leaves something behind',
    [
      ['not-paid', 'refused-first'],
      ['not-paid', 'success-after-cancel'],
      ['payment-forgotten', 'both-links-paid'],
    ],
  ],
  [
    'a cancel that ships again',
    [
      ['fulfilled-again', 'cancel-after-success'],
      ['fulfilled-again', 'late-cancel'],
    ],
  ],
  [
    'a webhook that changes a refunded order',
    [
      ['changed-after-refund', 'success-after-refund'],
      ['wrong-refund', 'refund-of-a-part'],
      ['payment-forgotten', 'payment-after-refund'],
    ],
  ],
  [
    'a cancel that always wins',
    [
      ['not-kept', 'cancel-after-success'],
      ['not-paid', 'success-with-cancel'],
      ['changed-after-refund', 'cancel-after-refund'],
    ],
  ],
  [
    'a refund of the wrong payment',
    [
      ['wrong-refund', 'refund-of-right-payment'],
      ['no-refund', 'payment-after-refund'],
    ],
  ],
  [
    'a payment after a cancel, with and without a return',
    [
      ['not-paid', 'success-after-cancel'],
      ['not-fulfilled', 'success-after-cancel-redirect'],
    ],
  ],
  [
    'an app that pays no order of an odd amount',
    [
      ['not-accepted', 'amount-odd'],
      ['not-accepted', 'older-link-paid'],
      ['not-paid', 'both-links-paid'],
    ],
  ],
  [
    'emoji that the app cannot store',
    [
      ['not-paid', 'note-four-bytes'],
      ['not-paid', 'slow-json'],
    ],
  ],
  [
    'an app that only records refunds',
    [
      ['no-refund', 'refund-clicked-twice'],
      ['wrong-refund', 'service-down'],
    ],
  ],
  [
    'too many webhooks at once',
    [
      ['not-paid', 'many-at-once'],
      ['no-refund', 'cancel-after-refund'],
    ],
  ],
] as const)('%s is one mistake, with its consequences', ([, cases]) => {
  const problems = [...new Set(cases.map(([problem]) => problem))].map((problem) => ({
    problem,
    title: problem,
    cases: cases.filter((one) => one[0] === problem).map(([, name]) => name),
  }))
  const results = cases.map(([, name]) => failed(name))
  const named = findMistakes({ problems, results }, { remedies: receiverRemedies })

  expect(named.map((one) => [one.case, one.others.toSorted()])).toEqual([
    [
      cases[0][1],
      cases
        .slice(1)
        .map(([, name]) => name)
        .toSorted(),
    ],
  ])
})

test('a forged webhook for the second link is a mistake of its own only if those for the first link are refused', () => {
  const titles = (...names: string[]): string[] =>
    linesOf(found('paid-without-payment', names)).filter((line) => !line.startsWith(' '))

  expect(titles('forged-user', 'newer-link-paid')).toEqual([
    'A webhook with the user_id of another account marks the order as paid.',
  ])
  expect(titles('newer-link-paid')).toEqual([
    'A webhook with a wrong amount or account for the second link marks the order as paid.',
  ])
})

test('if orders are lost when many requests come at once, the report says so', () => {
  const problems = [
    { problem: 'order-lost', title: 'Lost', cases: ['many-at-once'] },
    { problem: 'not-accepted', title: 'Refused', cases: ['json', 'note-empty'] },
  ]
  const results = problems.flatMap(({ cases }) => cases.map(failed))

  expect(linesOf({ problems, results })[0]).toBe(
    'If many customers order and pay at once, your app loses some of their orders.',
  )
})

test('many webhooks at once explain other failures, even if a single payment fulfills its order twice', () => {
  const problems = [
    { problem: 'fulfilled-again', title: 'Twice', cases: ['form-encoded-brackets', 'returned-often'] },
    { problem: 'not-paid', title: 'Not paid', cases: ['many-at-once'] },
    { problem: 'no-refund', title: 'No refund', cases: ['cancel-after-refund'] },
  ]
  const results = problems.flatMap(({ cases }) => cases.map(failed))

  expect(linesOf({ problems, results }).filter((line) => !line.startsWith(' '))).toEqual([
    'A single payment fulfills the order more than once.',
    'If many customers pay at once, some orders stay unpaid.',
  ])
})

test.each([
  ['several plain payments are', ['amount-odd', 'extra-fields', 'note-long'], 1],
  ['only one with a long note is', ['note-long'], 2],
])('repetitions are a mistake of their own unless %s fulfilled more than once', (_what, once, mistakes) => {
  const problems = [{ problem: 'fulfilled-again', title: 'Twice', cases: [...once, 'repeated'] }]
  const results = problems.flatMap(({ cases }) => cases.map(failed))

  const titles = linesOf({ problems, results }).filter((line) => !line.startsWith(' '))
  expect(titles).toHaveLength(mistakes)
})

test('a case without a title of its own is named by its problem', () => {
  const cases = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  const results = [failed('one'), ...cases.map((name) => ({ ...failed(name), sameAs: 'one' }))]
  const problems = [{ problem: 'order-refused', title: 'A mistake', cases: ['one', ...cases] }]

  expect(linesOf({ problems, results })).toEqual([
    'A mistake.',
    '  one: Case one.',
    '  Seen: it failed.',
    `  What to do: ${receiverRemedies['order-refused']}`,
    '  Also failed, for the same reason: two, three, four, five, six and 2 more.',
  ])
})

test.for([
  ['the reason for the case', found('fulfilled-again', ['repeated']), 'Mend repeated.'],
  [
    'the same as for coding assistants and in the inspector',
    found('leaked-key', ['one']),
    receiverRemedies['leaked-key'],
  ],
  [
    'the advice of the report, if it explains the problem',
    { ...found('not-accepted', ['json']), advice: { text: 'Parse forms.', isForAll: false } },
    'Parse forms.',
  ],
] as const)('what to do about a mistake is %s', ([, report, remedy]) => {
  const lines = linesOf(report)

  expect(lines.filter((line) => line.startsWith('  What to do'))).toEqual([`  What to do: ${remedy}`])
})

test('answers that come too late are a mistake of their own', () => {
  const { problems, results } = found('not-accepted', ['json', 'repeated'])
  const late = { ...results[0]!, seen: 'no answer within 10 s', isLate: true as const }

  expect(linesOf({ problems, results: [late, results[1]!] })).toEqual([
    'Your app does not accept a webhook that comes again.',
    '  repeated: Case repeated.',
    '  Seen: it failed.',
    `  What to do: ${receiverRemedies['not-accepted']} Mend repeated.`,
    'Your app does not answer in time.',
    '  json: Case json.',
    '  Seen: no answer within 10 s.',
    expect.stringMatching(/^ {2}What to do: Store what you received, answer, /),
  ])
})

test('answers that come too late are one mistake, whatever was sent', () => {
  const late = ['json', 'garbage-json'].map((name) => ({ ...failed(name), isLate: true as const }))
  const problems = [
    { problem: 'not-accepted', title: 'A webhook is refused', cases: ['json'] },
    { problem: 'not-refused', title: 'A webhook is not refused', cases: ['garbage-json'] },
  ]

  const lines = linesOf({ problems, results: late })

  expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['Your app does not answer in time.'])
  expect(lines.at(-1)).toBe('  Also failed, probably for the same reason: garbage-json.')
})

test('if the app is unreliable, neither garbage nor many webhooks at once explain its failures', () => {
  const problems = [
    { problem: 'harmed-by-garbage', title: 'An order is lost', cases: ['garbage-form'] },
    { problem: 'not-accepted', title: 'A webhook is refused', cases: ['many-at-once'] },
    { problem: 'not-refused', title: 'A webhook is not refused', cases: ['garbage-json'] },
  ]
  const results = ['garbage-form', 'many-at-once', 'garbage-json'].map(failed)
  const advice = {
    title: 'Your app fails now and then',
    text: 'Look.',
    isForAll: true,
    isUnreliable: true,
  } as const

  const lines = linesOf({ problems, results, advice })

  expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['Your app fails now and then.'])
  expect(lines[1]).toBe('  many-at-once: Case many-at-once.')
})

test('advice that explains no problem follows at the end', () => {
  const report = { ...found('leaked-key', ['one']), advice: { text: 'Parse forms.', isForAll: false } }
  expect(linesOf(report).at(-1)).toBe('Parse forms.')
})

test('the answer of the app stands beside the state of the order', () => {
  const response = { status: 200, headers: [], body: { content: 'thanks', encoding: 'utf8' } }
  const lines = linesOf(found('not-paid', ['json'], { exchange: { response } }))

  expect(lines).toContain('  Your app answered the webhook with 200 "thanks".')
})

test.for([
  [
    ['success-with-cancel'],
    'If many customers pay at once, your app does not accept some of their payments.',
  ],
  [['success-with-cancel', 'form-encoded-brackets'], 'The webhook of a payment does not pay the order.'],
] as const)('a crowd explains what else fails, but not a single payment: %s', ([unpaid, firstLine]) => {
  const problems = [
    { problem: 'fulfilled-again', title: 'A mistake', cases: ['repeated'] },
    { problem: 'not-paid', title: 'A mistake', cases: unpaid },
    { problem: 'not-accepted', title: 'A mistake', cases: ['many-at-once'] },
  ]
  const results = problems.flatMap(({ cases }) => cases.map(failed))
  const titles = linesOf({ problems, results }).filter((line) => !line.startsWith(' '))

  expect(titles.slice(0, 2)).toEqual(['The same webhook, sent twice, fulfills the order twice.', firstLine])
})

test.for([
  ['pays-another', 'repeated'],
  ['paid-without-payment', 'unknown-pay-id'],
] as const)('payments of other orders explain what else fails: %s in %s', ([problem, name]) => {
  const problems = [
    { problem, title: 'A mistake', cases: [name] },
    { problem: 'leaked-key', title: 'Another mistake', cases: ['api-key'] },
    { problem: 'not-paid', title: 'A consequence', cases: ['json', 'note-utf8'] },
    { problem: 'order-refused', title: 'A consequence', cases: ['similar-status'] },
  ]
  const results = problems.flatMap(({ cases }) => cases.map(failed))
  const named = findMistakes({ problems, results }, { remedies: receiverRemedies })

  expect(named.map((one) => [one.case, one.others])).toEqual([
    [name, ['json', 'note-utf8', 'similar-status']],
    ['api-key', []],
  ])
})

test('every title and every remedy of a mistake belongs to a problem and to a case', () => {
  const problems = Object.keys({ ...receiverProblems, ...callerProblems })
  const names = [...checkCases, ...callerCases].map(({ name }) => name)

  expect(problems).toEqual(expect.arrayContaining(Object.keys(mistakeTitles)))
  const texts = [...Object.values(mistakeTitles).flat(), ...Object.values(remediesOfCases)]
  expect(names).toEqual(expect.arrayContaining(texts.flatMap((cases) => Object.keys(cases))))
})
