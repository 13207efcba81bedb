import { expect, test } from 'vitest'
import { resolveBehaviors } from '../../server/domain/behaviors/behavior.ts'
import { webhookBody, sampleWebhook } from '../../server/domain/webhooks/webhook.ts'
import {
  editableFields,
  encodeFormValue,
  encodeJsonValue,
  insertField,
  newPair,
  pairOf,
  removeField,
  replaceField,
} from '../../ui/replay/editable-fields.ts'
import { changesOf } from '../../ui/replay/replay-changes.ts'
import { defectOf, isTextField, presetsFor, sortFields } from '../../ui/replay/webhook-field.ts'

const form = webhookBody(sampleWebhook, resolveBehaviors()).text
const json = webhookBody(
  sampleWebhook,
  resolveBehaviors({ webhookEncoding: 'json', amountText: 'two-decimals' }),
).text

const field = (text: string, name: string, isForm: boolean) =>
  editableFields(text, isForm)!.find((found) => found.name === name)!

test('form and JSON have the same fields, and the fields that a forgery changes come first', () => {
  const names = [
    'data[amount]',
    'data[note]',
    'data[status]',
    'data[pay_id]',
    'data[user_id]',
    'ResponseCode',
  ]
  for (const [text, isForm] of [
    [form, true],
    [json, false],
  ] as const) {
    expect(sortFields(editableFields(text, isForm)!).map(({ name }) => name)).toEqual(names)
  }
})

test('changing a value in the editor leaves all other bytes unchanged', () => {
  const odd = 'a=1&&flag&data[amount]=1%302&x=%zz&data[amount]=3'
  expect(replaceField(odd, field(odd, 'data[amount]', true), encodeFormValue('ä & =+'))).toBe(
    'a=1&&flag&data[amount]=%C3%A4+%26+%3D%2B&x=%zz&data[amount]=3',
  )
  expect(editableFields(odd, true)!.map(({ name, value }) => [name, value])).toEqual([
    ['a', '1'],
    ['flag', ''],
    ['data[amount]', '102'],
    ['x', '%zz'],
    ['data[amount]', '3'],
  ])
  expect(replaceField(odd, field(odd, 'flag', true), encodeFormValue('on'))).toContain('&flag=on&')

  const spaced = '{ "data" : {"note": "a,\\"b\\": {}", "amount": 100.00, "list": [1, {"deep": null}] } }'
  expect(editableFields(spaced, false)!.map(({ name, value }) => [name, value])).toEqual([
    ['data[note]', 'a,"b": {}'],
    ['data[amount]', '100.00'],
    ['data[list][0]', '1'],
    ['data[list][1][deep]', 'null'],
  ])
  expect(replaceField(spaced, field(spaced, 'data[amount]', false), '0.01')).toBe(
    spaced.replace('100.00', '0.01'),
  )
})

test('a malformed number becomes a string, so that the body remains JSON', () => {
  const amount = field(json, 'data[amount]', false)
  expect(isTextField(amount)).toBe(false)
  const changed = replaceField(json, amount, encodeJsonValue('12,5', false))
  expect(JSON.parse(changed)).toMatchObject({ data: { amount: '12,5' } })
  expect(defectOf(field(changed, 'data[amount]', false))).toBe('Not a number')

  const quoted = replaceField(json, amount, '"100"')
  expect(defectOf(field(quoted, 'data[amount]', false))).toBe('A string, not a number')
  expect(encodeJsonValue('100', true)).toBe('"100"')
  expect(editableFields('{"data":', false)).toBeUndefined()
})

test('every preset of the editor changes the webhook', () => {
  const labels = (text: string) =>
    presetsFor(editableFields(text, true)!).map(({ label, value }) => [label, value])
  expect(labels(form)).toEqual([
    ['Other amount', '0.01'],
    ['Cancel', 'cancel'],
    ['No note', ''],
  ])
  expect(labels('data[amount]=0.01&data[status]=cancel&data[note]=')).toEqual([
    ['Other amount', '1'],
    ['Success', 'Success'],
  ])
})

test('the editor lists changes by field, and by bytes if no field differs', () => {
  const original = { to: 'http://one', body: 'a=1&b=x' }
  const texts = (to: string, body: string) =>
    changesOf(original, { to, body }, true).map(({ kind, text }) => `${kind} ${text}`)
  expect(texts('http://one', 'a=1&b=x')).toEqual([])
  expect(texts('http://two', 'a=1&b=y')).toEqual([
    'removed To http://one',
    'added To http://two',
    'removed b=x',
    'added b=y',
  ])
  expect(texts('http://one', 'a=1&b=%78')).toEqual(['removed &b=x', 'added &b=%78'])
  expect(changesOf({ to: '', body: '{"a":1}' }, { to: '', body: '{"a":"1"}' }, false)).toEqual([
    { kind: 'removed', text: 'a=1' },
    { kind: 'added', text: 'a="1"' },
  ])
})

test('a field can be removed, put back and added, and all other bytes remain', () => {
  const names = (text: string, isForm: boolean) => editableFields(text, isForm)!.map(({ name }) => name)
  for (const [text, isForm] of [
    [form, true],
    [json, false],
    ['{ "ResponseCode": 1 , "data": {"amount": 1.00, "note": "x"} }', false],
    ['a=1&&b=%zz&c', true],
  ] as const) {
    for (const removed of editableFields(text, isForm)!) {
      const without = removeField(text, removed, isForm)
      expect(names(without, isForm)).toEqual(names(text, isForm).filter((name) => name !== removed.name))
      const pair = pairOf(text, removed)
      const again = insertField(without, { name: removed.name, pair, names: names(text, isForm) }, isForm)!
      expect(editableFields(again, isForm)!.map(({ name, value }) => [name, value])).toEqual(
        editableFields(text, isForm)!.map(({ name, value }) => [name, value]),
      )
    }
  }
  expect(removeField(form, field(form, 'data[note]', true), true)).toBe(
    form.replace(/&data%5Bnote%5D=[^&]*/, ''),
  )

  const add = (text: string, name: string, isForm: boolean) =>
    insertField(text, { name, pair: newPair(name, isForm), names: [...names(text, isForm), name] }, isForm)
  expect(add('a=1', 'data[x y]', true)).toBe('a=1&data%5Bx+y%5D=')
  expect(add('', 'a', true)).toBe('a=')
  expect(add('{"data": {"amount": 1}}', 'data[vat]', false)).toBe('{"data": {"amount": 1,"vat":""}}')
  expect(add('{"data": {"amount": 1}}', 'vat', false)).toBe('{"vat":"","data": {"amount": 1}}')
  expect(add('{ }', 'vat', false)).toBe('{"vat":"" }')
  expect(add('{"data": {"amount": 1}}', 'order[id]', false)).toBeUndefined()
})
