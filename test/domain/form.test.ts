import { expect, test } from 'vitest'
import { decodeForm } from '../../server/domain/http/form.ts'

test.each<[what: string, text: string, value: unknown]>([
  ['flat', 'a=1&b=x+y', { a: '1', b: 'x y' }],
  ['nested', 'data[pay_id]=7&data[note]=n', { data: { pay_id: '7', note: 'n' } }],
  ['encoded brackets', 'data%5Bpay_id%5D=7', { data: { pay_id: '7' } }],
  ['a list by index', 'r[0][t]=a&r[0][s]=1&r[1][t]=b', { r: [{ t: 'a', s: '1' }, { t: 'b' }] }],
  ['a list by empty brackets', 'r[]=a&r[]=b', { r: ['a', 'b'] }],
  ['a list by empty brackets and indexes', 'r[]=a&r[1]=b&r[]=c', { r: ['a', 'b', 'c'] }],
  ['an object by a key and empty brackets', 'r[x]=a&r[]=b', { r: { 0: 'b', x: 'a' } }],
  ['the last of two wins', 'a=1&a=2', { a: '2' }],
  ['brackets that do not close', 'a[b=1', { 'a[b': '1' }],
])('a form is decoded: %s', (_what, text, value) => {
  expect(decodeForm(text)).toEqual(value)
})

test.each<[what: string, text: string, value: unknown]>([
  [
    'in turn',
    'r[][t]=a&r[][s]=1&r[][t]=b&r[][s]=2',
    [
      { t: 'a', s: '1' },
      { t: 'b', s: '2' },
    ],
  ],
  ['without the last key', 'r[][t]=a&r[][s]=1&r[][t]=b', [{ t: 'a', s: '1' }, { t: 'b' }]],
  ['with one key', 'r[][t]=a&r[][t]=b', [{ t: 'a' }, { t: 'b' }]],
  ['with texts between them', 'r[][t]=a&r[]=x&r[][s]=1', [{ t: 'a' }, 'x', { s: '1' }]],
  ['with deeper keys', 'r[][t][x]=a&r[][t][y]=b&r[][s]=1', [{ t: { x: 'a' } }, { t: { y: 'b' }, s: '1' }]],
  ['called __proto__', 'r[][__proto__]=a&r[][s]=1', [JSON.parse('{"__proto__":"a","s":"1"}')]],
])('entries without indexes can be grouped by their keys: %s', (_what, text, list) => {
  expect(decodeForm(text, { groupsEntries: true })).toEqual({ r: list })
})

test('a form with many entries without a name is decoded in linear time', () => {
  const entries = 200_000
  const { a } = decodeForm('a[]=&'.repeat(entries))
  expect(a).toHaveLength(entries)
})

test('the keys of a form cannot change the prototype of objects', () => {
  decodeForm('__proto__[polluted]=1&a[__proto__][polluted]=1&constructor[prototype][polluted]=1')
  expect({}).not.toHaveProperty('polluted')
})
