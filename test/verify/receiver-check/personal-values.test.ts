import { expect, test } from 'vitest'
import { personalValues } from '../../../server/verify/app/orders/order-template.ts'

test.for<[template: string, values: readonly string[]]>([
  [
    '{"email":"anna@mail.example","address":{"street":"Main Street 1","address_line_2":"Back house"}}',
    ['anna@mail.example', 'Main Street 1', 'Back house'],
  ],
  ['customer[mail]=anna%40mail.example&phone_number=030+1234567', ['anna@mail.example', '030 1234567']],
  ['{"email":"{order}@mail.example","customerName":"Customer {note}","street":"Main Street {amount}"}', []],
  [
    '{"customer":{"name":"Anna Vogelsang","address":{"line1":"Main Street 1","city":"Quedlinburg"}}}',
    ['Anna Vogelsang', 'Main Street 1', 'Quedlinburg'],
  ],
  ['address[line1]=Main+Street+1&item[name]=Red+roses', ['Main Street 1']],
  ['email={form:token}%40mail.example&firstName={form:email}', []],
  ['{"amount":{amount},"addressType":"billing","mailOptIn":"accepted","addressId":"A-123456"}', []],
  ['addressType=billing&emailFormat=text%2Fhtml', []],
  ['{"name":"Roses","note":"{note}","email":"a@b.c"}', []],
  ['not { JSON', []],
  ['', []],
])('the personal values of %j are %j', ([template, values]) => {
  expect(personalValues(template)).toEqual(values)
})
