import { expect, test } from 'vitest'
import { checkFlag, sharedOptions } from '../../../server/contract/checks/check-options.ts'
import { receiverRemedies, remedyFor } from '../../../server/verify/mistakes/remedies.ts'

const seen = (problem: string, result: object = {}): string =>
  remedyFor(receiverRemedies, problem, { name: 'repeated', why: 'The reason for the case.', ...result })

test.for([
  ['the reason for the case', seen('fulfilled-again'), 'The reason for the case.'],
  ['the remedy of the problem', seen('leaked-key'), receiverRemedies['leaked-key']],
  [
    'the remedy of the problem, and the reason for the case',
    seen('not-refused'),
    `${receiverRemedies['not-refused']} The reason for the case.`,
  ],
  [
    'a remedy for a problem that the reason for the case is not about',
    seen('fulfilled-again', { name: 'service-down' }),
    'Make the calls that can fail before you ship, or remember that you have shipped. A refused webhook comes again, and must not ship again.',
  ],
  [
    'a remedy that fits any case, if only a later webhook failed',
    seen('not-paid', { isOtherOrder: true }),
    "Check your app's log. A webhook must not affect how later webhooks are handled.",
  ],
  [
    'to look at queues, if a case that is not about payments needs a paid order',
    seen('not-paid', { name: 'refund-of-a-part' }),
    "Check your app's log. If your app handles webhooks in a queue, no other work, such as a call to the service, may hold up a payment. If it only needs longer, pass --timeout.",
  ],
  [
    'to answer sooner, if the answer came too late',
    seen('not-accepted', { isLate: true }),
    'Store what you received, answer, and do slow work afterwards. If only some webhooks take long, whatever they say, look for locks, and for work that your app does now and then. If your app is slow only during the check, repeat the check while the machine does less.',
  ],
] as const)('what to do about a mistake is %s', ([, remedy, expected]) => {
  expect(remedy).toBe(expected)
})

test('the remedy for a state that cannot be read names the address and every pointer', () => {
  const pointers = Object.keys(sharedOptions).filter((option) => option.endsWith('Pointer'))
  const named = receiverRemedies['unknown-state'].match(/--[a-z-]+/g)

  expect(named).toEqual(['stateUrl', ...pointers].map((option) => `--${checkFlag(option)}`))
})
