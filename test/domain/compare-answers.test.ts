import { expect, test } from 'vitest'
import { compareAnswers, type AnswerDifference } from '../../server/domain/api/compare-answers.ts'
import type { Answer } from '../../server/domain/api/describe-answer.ts'
import { encodeBody, textBody } from '../../server/domain/http/exchange.ts'

const link = {
  id: 1001,
  user_id: '00000000-0000-4000-8000-000000000001',
  amount: 0.01,
  status: 'Unused',
  recipients: '[{"token":"rcpOne","share":30}]',
  bank_transfer: 'true',
  servicefee: '1.0',
  created_at: '2026-07-01 12:00:00',
  pay_link: 'http://127.0.0.1:4400/payment?link_id=MTAwMQ%3D%3D',
  qr_img: '',
}

const created = {
  ResponseCode: 1,
  ResponseMsg: 'Link has been created successfully',
  Result: 'True',
  ServerTime: 'CEST',
  data: link,
}

const refused = {
  ResponseCode: 0,
  ResponseMsg: 'The link with pay_id 1001 has not been paid',
  Result: 'False',
  ServerTime: 'CET',
}

const answer = (
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: object } = {},
): Answer => ({
  status,
  headers: Object.entries({ 'content-type': 'application/json; charset=utf-8', ...headers }),
  body: textBody(typeof value === 'string' ? value : JSON.stringify(value)),
})

const differences = (sandbox: Answer, service: Answer) =>
  compareAnswers(sandbox, service).map(({ place, kind, expected, found }) => [place, kind, expected, found])

test('two answers are equal if only ids, times, hosts, settings of the account and the sequence of fields differ', () => {
  const other = {
    ...created,
    ServerTime: 'CET',
    data: {
      ...link,
      id: 700123,
      user_id: 'b3c1de0e-8a3d-4b6a-9d3f-0a1b2c3d4e5f',
      recipients: '[{"share":30,"token":"rcpTwo"}]',
      bank_transfer: 'false',
      servicefee: '2',
      created_at: '2027-01-31 00:00:59',
      pay_link: 'https://pay.example/payment?link_id=NzAwMTIz',
    },
  }
  const { ResponseCode, ...rest } = other
  const service = answer(
    { ...rest, ResponseCode },
    { headers: { 'Content-Type': 'application/json', server: 'nginx' } },
  )

  expect(compareAnswers(answer(created, { headers: { 'sandbox-assumed': 'payId' } }), service)).toEqual([])
  const unpaid = refused.ResponseMsg.replace('1001', '700123')
  expect(compareAnswers(answer(refused), answer({ ...refused, ResponseMsg: unpaid }))).toEqual([])
})

test.each<[change: string, changed: object, found: unknown[]]>([
  [
    'a renamed field',
    { qr_img: undefined, qr_url: '' },
    [
      ['data.qr_img', 'missing-field', '""', null],
      ['data.qr_url', 'extra-field', null, '""'],
    ],
  ],
  ['another type', { id: '1001' }, [['data.id', 'type', 'a number', 'a number as text']]],
  ['null', { user_id: null }, [['data.user_id', 'type', 'a UUID', 'null']]],
  ['a number as text', { amount: '0.01' }, [['data.amount', 'type', '0.01', 'a number as text']]],
  ['another number', { amount: 1 }, [['data.amount', 'value', '0.01', '1']]],
  ['another word', { status: 'unused' }, [['data.status', 'value', '"Unused"', '"unused"']]],
  [
    'another time format',
    { created_at: '2026-07-01T12:00:00Z' },
    [['data.created_at', 'value', 'a time as YYYY-MM-DD HH:MM:SS', 'a time in ISO 8601']],
  ],
  [
    'another address',
    { pay_link: 'https://pay.example/pay?id=1001' },
    [['data.pay_link', 'value', 'the URL /payment?link_id=<base64 of a number>', 'the URL /pay?id=<number>']],
  ],
  [
    'a field in JSON text',
    { recipients: '[{"token":"rcpOne","percent":30}]' },
    [
      ['data.recipients(JSON)[].share', 'missing-field', '30', null],
      ['data.recipients(JSON)[].percent', 'extra-field', null, '30'],
    ],
  ],
])('a comparison names the changed field: %s', (_change, changed, found) => {
  expect(differences(answer(created), answer({ ...created, data: { ...link, ...changed } }))).toEqual(found)
})

test('a comparison counts a missing or an extra object as one difference, whatever its fields', () => {
  const { data: _data, ...rest } = created
  expect(differences(answer(created), answer(rest))).toEqual([['data', 'missing-field', 'an object', null]])
  expect(differences(answer(created), answer({ ...created, meta: { a: 1, b: {} } }))).toEqual([
    ['meta', 'extra-field', null, 'an object'],
  ])
})

test('a comparison goes through the items of two lists, unless one list is empty', () => {
  const list = (items: readonly object[]) => answer({ ...created, data: items, totalRecords: items.length })
  const items = [
    { sf_id: '501', company: 'Flower Shop', vat: 3.29 },
    { sf_id: '502', company: 'Flower Shop', vat: 0 },
  ]
  expect(compareAnswers(list(items), list(items.slice(1)))).toEqual([])
  expect(compareAnswers(list(items), list([]))).toEqual([])
  expect(compareAnswers(list([]), list(items))).toEqual([])
  expect(differences(list(items), list([{ sf_id: 501, vat: 0 }]))).toEqual([
    ['data[].sf_id', 'type', 'a number as text', 'a number'],
    ['data[].company', 'missing-field', 'text', null],
  ])
})

test('a byte order mark and the length of a list of the account do not count as differences', () => {
  const marked = answer(`\uFEFF${JSON.stringify(created)}`)
  expect(compareAnswers(answer(created), marked)).toEqual([])

  const outOfRange = (length: string) =>
    answer({
      ...refused,
      ResponseMsg: `callback_url index 9 is out of range, the account's list has ${length}`,
    })
  expect(compareAnswers(outOfRange('1 entry'), outOfRange('12 entries'))).toEqual([])
})

const MIB = 1024 * 1024
const count = (length: number): number[] => Array.from({ length }, (_none, index) => index)

/** Answers that would take a minute or more if the work grew with the square of the size. */
test.each<[what: string, data: string]>([
  ['empty lists', `[${count(MIB / 3).map(() => '[]')}]`],
  ['different numbers', `[${count(150_000)}]`],
  ['lists of different texts', `[${count(70_000).map((index) => `["t${index}x"]`)}]`],
  ['nested lists', '['.repeat(MIB / 2) + ']'.repeat(MIB / 2)],
  ['a field with a long name', `{"${'a'.repeat(MIB - 10)}[x":1}`],
  [
    'fields inside of one with a long name',
    `{"${'a'.repeat(MIB / 2)}":{${count(50_000).map((index) => `"${index}":1`)}}}`,
  ],
])('answers of 1 MiB are compared: %s', (_what, data) => {
  const large = answer(`{"ResponseCode":1,"data":${data}}`)

  const [found] = compareAnswers(answer({ ResponseCode: 1 }), large)
  expect([found?.place, found?.kind]).toEqual(['data', 'extra-field'])
})

test('differences in status, headers, content type, texts and the kind of body are named', () => {
  const texts = (found: readonly AnswerDifference[]) => found.map(({ text }) => text)
  const service = answer(
    { ...refused, ResponseMsg: 'Not paid yet' },
    { status: 422, headers: { 'content-type': 'text/json', 'Retry-After': '5' } },
  )
  expect(texts(compareAnswers(answer(refused), service))).toEqual([
    'The service answers HTTP 422, the sandbox HTTP 200.',
    'The service answers with the content type text/json, the sandbox with application/json.',
    'ResponseMsg is "Not paid yet" in the service, "The link with pay_id <number> has not been paid" in the sandbox.',
    'The service sends the header retry-after, but the sandbox does not.',
  ])
  const page = answer('<h1>Bad gateway</h1>', { status: 502 })
  expect(texts(compareAnswers(answer(refused), page))).toEqual([
    'The service answers HTTP 502, the sandbox HTTP 200.',
    'The body of the service is not JSON, that of the sandbox a JSON object.',
  ])
  expect(texts(compareAnswers(answer(refused), answer('')))).toEqual([
    'The body of the service is empty, that of the sandbox a JSON object.',
  ])
  const cut = { ...answer(refused), body: encodeBody(Buffer.from('{"Resp'), 500) }
  expect(texts(compareAnswers(answer(refused), cut))).toEqual([
    'The body of the service is cut off, that of the sandbox a JSON object.',
  ])
})
