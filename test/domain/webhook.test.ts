import { expect, test } from 'vitest'
import { resolveBehaviors } from '../../server/domain/behaviors/behavior.ts'
import { decodeForm } from '../../server/domain/http/form.ts'
import { spellStatus, webhookBody } from '../../server/domain/webhooks/webhook.ts'

const notification = {
  payId: 7,
  note: 'Blüten & "Co" = 50%+',
  amount: 10_50,
  accountId: 'u-1',
  status: 'Success',
} as const

const nested = {
  ResponseCode: '1',
  data: { pay_id: '7', note: 'Blüten & "Co" = 50%+', amount: '10.5', user_id: 'u-1', status: 'Success' },
}

test('a form body has the documented pairs, and decodes to the same data', () => {
  const { contentType, text } = webhookBody(notification, resolveBehaviors())

  expect(contentType).toBe('application/x-www-form-urlencoded')
  expect([...new URLSearchParams(text).keys()]).toEqual([
    'ResponseCode',
    'data[pay_id]',
    'data[note]',
    'data[amount]',
    'data[user_id]',
    'data[status]',
  ])
  expect(decodeForm(text)).toEqual(nested)
})

test('a JSON body has the same data, with numbers as numbers', () => {
  const { contentType, text } = webhookBody(notification, resolveBehaviors({ webhookEncoding: 'json' }))

  expect(contentType).toBe('application/json')
  expect(JSON.parse(text)).toEqual({
    ResponseCode: 1,
    data: { ...nested.data, pay_id: 7, amount: 10.5 },
  })
})

test.each([
  [100_00, 'shortest', '100'],
  [10_50, 'shortest', '10.5'],
  [1, 'shortest', '0.01'],
  [100_00, 'two-decimals', '100.00'],
  [999_999_999_99, 'two-decimals', '999999999.99'],
] as const)('%d cents are written %s as %s in both encodings', (amount, amountText, written) => {
  const form = webhookBody({ ...notification, amount }, resolveBehaviors({ amountText }))
  const json = webhookBody(
    { ...notification, amount },
    resolveBehaviors({ webhookEncoding: 'json', amountText }),
  )

  expect(new URLSearchParams(form.text).get('data[amount]')).toBe(written)
  expect(json.text).toContain(`"amount":${written},`)
})

test.each([
  ['Success', 'documented', 'Success'],
  ['cancel', 'documented', 'cancel'],
  ['Success', 'lowercase', 'success'],
  ['cancel', 'lowercase', 'cancel'],
] as const)('the outcome %s is spelled %s as %s', (outcome, spelling, text) => {
  expect(spellStatus(outcome, spelling)).toBe(text)
})
