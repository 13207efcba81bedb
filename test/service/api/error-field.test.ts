import { expect } from 'vitest'
import { endpoints } from '../../../server/service/api/endpoints/all-endpoints.ts'
import { recipients } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const split = { amount: 10, recipients }

test.for<[field: string | null, operation: string, body: unknown]>([
  ['amount', 'createLink', {}],
  ['amount', 'createLink', { amount: 1.234 }],
  ['recipient_note', 'createLink', { amount: 1, recipient_note: 5 }],
  ['callback_url', 'createLink', { amount: 1, callback_url: 'x' }],
  ['payment_endpoint', 'createLink', { amount: 1, payment_endpoint: '99' }],
  ['recipients', 'createSplitLink', { amount: 1 }],
  ['recipients[0].share', 'createSplitLink', { ...split, recipients: [{ ...recipients[0], share: -1 }] }],
  ['recipients[0].token', 'createSplitLink', { ...split, recipients: [{ token: 'nobody', share: 1 }] }],
  ['pay_id', 'refundPayment', {}],
  [null, 'createLink', 'no JSON'],
  [null, 'createLinks', {}],
])('the header Sandbox-Error-Field is %s if %s refuses %j', async ([field, operation, body], { sandbox }) => {
  const { headers } = await sandbox.call(operation, body)
  expect(headers.get('sandbox-error-field')).toBe(field)
})

test('Sandbox-Error-Field names the token if the key is wrong, and is absent if the call succeeds', async ({
  sandbox,
}) => {
  const refused = await sandbox.call('createLink', { amount: 1 }, { token: 'nobodys' })
  const accepted = await sandbox.call('createLink', { amount: 1 })

  expect([refused, accepted].map(({ headers }) => headers.get('sandbox-error-field'))).toEqual([
    'token',
    null,
  ])
})

const wrong = { no: 'field has an object as its value' }
const valid = { amount: 1, recipients, pay_id: 1001, refund_amount: 1, pay_ids: '1001', status: 'Success' }
const fieldsInSequence = [...endpoints].flatMap(([operation, { body }]) =>
  Object.keys(body.shape).map((field, index, fields) => ({
    operation,
    field,
    later: fields.slice(index + 1),
  })),
)

test.for(fieldsInSequence)(
  'the operation $operation refuses $field before $later',
  async ({ operation, field, later }, { sandbox }) => {
    const fields = [...Object.entries(valid), ...[field, ...later].map((name) => [name, wrong] as const)]

    const { headers } = await sandbox.call(operation, Object.fromEntries(fields))

    expect(headers.get('sandbox-error-field')).toBe(field)
  },
)
