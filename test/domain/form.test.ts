import { expect, test } from 'vitest'
import { decodeForm } from '../../server/domain/http/form.ts'

test.each<[what: string, text: string, value: unknown]>([
  ['flat', 'a=1&b=x+y', { a: '1', b: 'x y' }],
  ['nested', 'data[pay_id]=7&data[note]=n', { data: { pay_id: '7', note: 'n' } }],
  ['encoded brackets', 'data%5Bpay_id%5D=7', { data: { pay_id: '7' } }],
  ['a list by index', 'r[0][t]=a&r[0][s]=1&r[1][t]=b', { r: [{ t: 'a', s: '1' }, { t: 'b' }] }],
  ['a list by empty brackets', 'r[]=a&r[]=b', { r: ['a', 'b'] }],
  ['the last of two wins', 'a=1&a=2', { a: '2' }],
  ['brackets that do not close', 'a[b=1', { 'a[b': '1' }],
])('%s', (_what, text, value) => {
  expect(decodeForm(text)).toEqual(value)
})

test('many entries without a name are decoded in linear time', () => {
  const entries = 200_000
  const { a } = decodeForm('a[]=&'.repeat(entries))
  expect(a).toHaveLength(entries)
})

test('a form cannot change the prototype of objects', () => {
  decodeForm('__proto__[polluted]=1&a[__proto__][polluted]=1&constructor[prototype][polluted]=1')
  expect({}).not.toHaveProperty('polluted')
})
