import { expect, test } from 'vitest'
import {
  encodeBody,
  countKeptBytes,
  textBody,
  type Exchange,
  type Headers,
} from '../../server/domain/http/exchange.ts'
import { createMask, createMaskInTurns, maskSecret } from '../../server/domain/secrets/mask.ts'

const key = 'devFlowerShopFakeApiKey00001'
const mask = createMask([key, `${key}AndMore`])

const exchange = (headers: Headers, body = textBody('')): Exchange => ({
  request: { method: 'POST', url: `http://localhost/?token=${key}`, headers, body },
  response: { status: 200, headers, body },
})

test('a masked key shows both of its ends, and a short key shows nothing', () => {
  expect(maskSecret(key)).toBe('dev…01')
  expect(maskSecret('short')).toBe('…')
})

test('a known key is masked wherever it occurs', async () => {
  const body = textBody(`{"note":"${key}","ids":["${key}AndMore"]}`)
  const text = JSON.stringify(await mask.exchange(exchange([['X-Note', `my ${key}`]], body)))
  expect(text).not.toContain(key)
  expect(text).toContain('my dev…01')
  expect(text).toContain('dev…re')
  expect(
    mask.value({
      type: key,
      state: key,
      path: `/x?${key}`,
      list: [{ note: key }],
      values: { x: key },
      link: null,
      amount: 1,
    }),
  ).toEqual({
    type: key,
    state: key,
    path: '/x?dev…01',
    list: [{ note: 'dev…01' }],
    values: { x: 'dev…01' },
    link: null,
    amount: 1,
  })
})

test('the password of a URL and the secret fields of its query are masked, even if they are unknown', async () => {
  const urlOf = async (url: string): Promise<string> => {
    const request = { method: 'POST', url, headers: [], body: textBody('') }
    return (await mask.exchange({ request, response: null })).request.url
  }
  expect(await urlOf('https://shop:geheim@shop.example/hook?order=12')).toBe(
    'https://shop:…@shop.example/hook?order=12',
  )
  expect(
    await urlOf('https://shop.example/hook?order=12&token=anotherKeyOfSomebody&api%2Dkey=short#a=b'),
  ).toBe('https://shop.example/hook?order=12&token=ano…dy&api%2Dkey=…#a=b')
  expect(await urlOf(`https://shop.example/?token=abc${key.slice(8)}supersecret&password=xyz${key}`)).toBe(
    'https://shop.example/?token=abc…et&password=xyz…01',
  )
  expect(await urlOf(`http://localhost/a@b?token=${key}&note=a@b`)).toBe(
    'http://localhost/a@b?token=dev…01&note=a@b',
  )
})

test('a secret header is masked, even if its value is unknown', async () => {
  const { request, response } = await mask.exchange(
    exchange([
      ['Token', 'anotherKeyOfSomebody'],
      ['authorization', 'Bearer anotherKeyOfSomebody'],
      ['Set-Cookie', 'session=anotherKeyOfSomebody'],
      ['X-Api-Key', 'anotherKeyOfSomebody'],
      ['x-auth', 'anotherKeyOfSomebody'],
      ['X-Shop-Signature', 'anotherKeyOfSomebody'],
      ['accept', 'application/json'],
    ]),
  )
  expect(request.headers.map(([, value]) => value)).toEqual([
    'ano…dy',
    'Bea…dy',
    'ses…dy',
    'ano…dy',
    'ano…dy',
    'ano…dy',
    'application/json',
  ])
  expect(response?.headers).toEqual(request.headers)
})

test('an unknown key in a header is masked in the whole exchange', async () => {
  const call = exchange(
    [
      ['Authorization', 'Bearer anotherKeyOfSomebody'],
      ['X-Echo', 'anotherKeyOfSomebody'],
    ],
    textBody('{"key":"anotherKeyOfSomebody"}'),
  )
  const own = createMask([key]).forExchange(call)

  expect(JSON.stringify(await own.exchange(call))).not.toMatch(/anotherKey|devFlower/)
  expect(own.value({ message: 'The key is anotherKeyOfSomebody' })).toEqual({ message: 'The key is ano…dy' })
})

test('masking does not mark a body as truncated', async () => {
  const whole = (await mask.exchange(exchange([], textBody(`key=${key}&x=ä`)))).request.body
  expect(countKeptBytes(whole)).toBe(whole.size)

  const cut = (await mask.exchange(exchange([], { ...textBody(`key=${key}`), size: 1000 }))).request.body
  expect(cut.size - countKeptBytes(cut)).toBe(1000 - 'key='.length - key.length)
})

test('a key in binary bytes is also masked', async () => {
  const bytes = new Uint8Array([0xff, 0x00, ...new TextEncoder().encode(key), 0xfe])
  const { body } = (await mask.exchange(exchange([], encodeBody(bytes)))).request
  expect(body.encoding).toBe('base64')
  expect(Buffer.from(body.content, 'base64')).toEqual(
    Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('dev…01'), Buffer.from([0xfe])]),
  )
  expect(countKeptBytes(body)).toBe(body.size)
})

test('if no key is known, only headers are masked', () => {
  const none = createMask([])
  expect(none.value({ note: key })).toEqual({ note: key })
})

test('a percent-encoded key is masked', () => {
  const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const values = [encoded, `de%76${key.slice(3)}`, encoded.toUpperCase().slice(0, 60) + encoded.slice(60)]
  for (const value of values) expect(mask.value(`?key=${value}&x=%20`)).toBe('?key=dev…01&x=%20')
  expect(mask.value(`${encoded}%41ndMore`)).toBe('dev…re')
  expect(createMask(['a key%, ä and more']).value('x=a+key%25,%20%c3%A4+and+more')).toBe('x=a k…re')
})

test('a secret can be masked with any text', async () => {
  const named = createMask([key], { shown: (secret) => (secret === key ? '<key>' : '<secret>') })
  const { request } = await named.exchange(
    exchange(
      [
        ['Set-Cookie', 'a=b'],
        ['Token', key],
        ['X', `my ${key}`],
      ],
      textBody(key),
    ),
  )

  expect([request.url, request.headers.map(([, value]) => value), request.body.content]).toEqual([
    'http://localhost/?token=<key>',
    ['<secret>', '<key>', 'my <key>'],
    '<key>',
  ])
  expect([named.isIn(`a ${key}`), named.isIn('a')]).toEqual([true, false])
})

test('without a key, nothing is masked', async () => {
  const call = exchange([['token', 'undefined']], textBody('x is undefined'))
  expect((await mask.forExchange(call).exchange(call)).request.body.content).toBe('x is undefined')
})

test('a mask of many keys is prepared in turns, and masks the same', async () => {
  const keys = Array.from({ length: 100 }, (_none, number) => `devFakeApiKey${number}OfAnAccount`)
  let turns = 0
  const prepared = await createMaskInTurns(keys, ['OfAnAccount'], async () => void turns++)

  expect(turns).toBeGreaterThan(keys.length)
  const text = `${keys[42]} of the account named OfAnAccount`
  expect(prepared.text(text)).toBe('dev…nt of the account named OfAnAccount')
})
