import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecretFinder } from '../../server/domain/secrets/secret-finder.ts'
import { sized } from '../support/size.ts'

const KEY = 'SvcKey01abcdEFGHijkl9'
const name = (): string => '<key>'
const masked = (text: string): string => createSecretFinder([KEY]).replace(text, name)

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const each = (text: string, encode: (code: number) => string): string =>
  text.replaceAll(/[^]/g, (character) => encode(character.charCodeAt(0)))
const digits = (code: number, length: number): string => code.toString(16).padStart(length, '0')
const percent = (text: string): string => each(text, (code) => `%${digits(code, 2)}`)
const json = (text: string): string => each(text, (code) => `\\u${digits(code, 4)}`)
const javascript = (text: string): string => each(text, (code) => `\\x${digits(code, 2)}`)
const wrap = (text: string): string => text.replaceAll(/.{64}/g, '$&\r\n')

test.each([
  ['plain', `a ${KEY} b`, 'a <key> b'],
  ['in another case', `a ${KEY.toLowerCase()} b ${KEY.toUpperCase()}`, 'a <key> b <key>'],
  ['percent-encoded', `a=${percent(KEY)}&b`, 'a=<key>&b'],
  ['percent-encoded twice', `a=${percent(percent(KEY))}&b`, 'a=<key>&b'],
  ['percent-encoded in part', `a=${KEY.replace('K', '%4B')}&b`, 'a=<key>&b'],
  ['as escapes of JSON', `"${json(KEY)}"`, '"<key>"'],
  ['as escapes of JSON with doubled backslashes', `"${json(KEY).replaceAll('\\', '\\\\')}"`, '"<key>"'],
  ['as escapes of JavaScript', `'${javascript(KEY)}'`, "'<key>'"],
  ['as escapes with braces', `"${each(KEY, (code) => `\\u{${code.toString(16)}}`)}"`, '"<key>"'],
  ['as decimal entities', `<p>${each(KEY, (code) => `&#${code};`)}</p>`, '<p><key></p>'],
  ['as hexadecimal entities', `<p>${each(KEY, (code) => `&#x${digits(code, 2)};`)}</p>`, '<p><key></p>'],
  ['as entities without semicolons', `<p>${each(KEY, (code) => `&#${code}`)}</p>`, '<p><key></p>'],
  ['as entities with zeros', `<p>${each(KEY, (code) => `&#0000${code};`)}</p>`, '<p><key></p>'],
  ['as escaped entities', `<p>${each(KEY, (code) => `&amp;#${code};`)}</p>`, '<p><key></p>'],
  ['as hexadecimal digits', `a ${hex(KEY)} b`, 'a <key> b'],
  ['as hexadecimal digits in capitals', `a ${hex(KEY).toUpperCase()} b`, 'a <key> b'],
  ['as base64', `Basic ${base64(KEY)}`, 'Basic <key>'],
  ['as base64 twice', `Basic ${base64(base64(KEY))}`, 'Basic <key>=='],
  ['as escapes of Python', `"${each(KEY, (code) => `\\U${digits(code, 8)}`)}"`, '"<key>"'],
  ['as octal escapes', `'${each(KEY, (code) => `\\${code.toString(8).padStart(3, '0')}`)}'`, "'<key>'"],
  ['as %u escapes', `a=${each(KEY, (code) => `%u${digits(code, 4)}`)}`, 'a=<key>'],
  ['as base64 of UTF-16', `-enc ${Buffer.from(KEY, 'utf16le').toString('base64')}`, '-enc <key>A'],
  ['as bytes with blanks', `<Buffer ${hex(KEY).replaceAll(/../g, '$& ').trim()}>`, '<Buffer <key>>'],
  ['as bytes with colons', hex(KEY).replaceAll(/..(?!$)/g, '$&:'), '<key>'],
  ['as bytes of C', hex(KEY).replaceAll(/../g, '0x$&, '), '<key>, '],
  ['as a Buffer in JSON', JSON.stringify(Buffer.from(KEY)), '{"type":"Buffer","data":[<key>]}'],
  ['as hexadecimal digits after a percent sign', `%2e${hex(KEY)}`, '%2e<key>'],
  ['in lines', `a ${KEY.replaceAll(/.{5}/g, '$&\n')} b`, 'a <key> b'],
  ['in lines of Windows with an indentation', `a ${KEY.replaceAll(/.{6}/g, '$&\r\n    ')} b`, 'a <key> b'],
  ['in lines of an email', `a ${KEY.replaceAll(/.{6}/g, '$&=\r\n')} b`, 'a <key> b'],
  ['in lines of a shell', `a ${KEY.replaceAll(/.{6}/g, '$&\\\n  ')} b`, 'a <key> b'],
  ['in lines of a text in JSON', JSON.stringify(KEY.replaceAll(/.{6}/g, '$&\n')), '"<key>"'],
  ['as base64 in lines with an indentation', base64(KEY).replaceAll(/.{6}/g, '$&\n  '), '<key>'],
  ['as hexadecimal digits of base64', `Basic ${hex(base64(KEY))}`, 'Basic <key>'],
])('a key is found %s', (_form, text, expected) => {
  expect(masked(text)).toBe(expected)
})

test.each([0, 1, 2, 3, 4, 5])('a key is found in base64 after %d other bytes', (before) => {
  const text = base64(`${'x'.repeat(before)}${KEY}:password`)

  expect(readable(masked(text), KEY)).toBeUndefined()
})

test('a key is found in base64 that is wrapped after 64 characters', () => {
  const text = wrap(base64(`${'x'.repeat(40)}${KEY}${'y'.repeat(40)}`))

  expect(readable(masked(text), KEY)).toBeUndefined()
})

test('a part of a key is found if it has at least eight characters', () => {
  expect(masked('SvcK<number>abcdEFGHijkl9')).toBe('SvcK<number><key>')
  expect(masked('SvcKey0 abcdEFG')).toBe('SvcKey0 abcdEFG')
})

test('the name of a shop is not a part of its key', () => {
  const finder = createSecretFinder(
    ['devFlowerShopFakeApiKey00001'],
    ['FlowerShop', 'rcpFlowerShopFakeToken00001'],
  )

  expect(finder.replace('https://flowershop.example/?token=rcpFlowerShopFakeToken00001', name)).toBe(
    'https://flowershop.example/?token=rcpFlowerShopFakeToken00001',
  )
  expect(finder.replace('FlowerShopFakeApiKey00001', name)).toBe('<key>')
})

test('a key is found even if it equals a public name', () => {
  const finder = createSecretFinder(['FlowerShop1'], ['FlowerShop1'])

  expect(finder.replace('key FlowerShop1', name)).toBe('key <key>')
})

test('a key is found if named entities replace its punctuation', () => {
  const finder = createSecretFinder(['a+b/c=d_e.f'])

  expect(finder.replace('a&plus;b&sol;c&equals;d&lowbar;e&period;f', name)).toBe('<key>')
})

test('if several keys are found in a text, the longest is masked', () => {
  const finder = createSecretFinder(['SharedPrefix', 'SharedPrefix-and-more'])

  expect(finder.replace('SharedPrefix-and-more, SharedPrefix.', (secret) => `<${secret.length}>`)).toBe(
    '<21>, <12>.',
  )
})

test('a short key is found only as a whole, and never by chance in base64', () => {
  const finder = createSecretFinder(['päss 1'])

  expect(finder.replace('päss 1, p%C3%A4ss+1, päss', name)).toBe('<key>, <key>, päss')
  expect(finder.isIn(base64('päss 1'))).toBe(false)
  expect(finder.isIn('pä\nss 1')).toBe(false)
})

test('a text without keys stays the same, even if it has many escapes', () => {
  const texts = [
    '',
    '%',
    '%2',
    '100%25',
    '\\',
    '\\u00',
    '&',
    '&#;',
    '&#x;',
    '&amp',
    '%3'.repeat(200_000) + 'g',
  ]

  expect(texts.map(masked)).toEqual(texts)
})

test('other work runs between the pieces of a long text, and a key across two pieces is found', async () => {
  const finder = createSecretFinder([KEY])
  const border = 6_000
  for (const encode of [(text: string) => text, base64, json, (text: string) => json(base64(text))]) {
    const encoded = encode(KEY)
    for (let before = border - encoded.length; before <= border; before += 5) {
      let pauses = 0
      const text = `${' '.repeat(before)}${encoded}${' '.repeat(border)}`
      const letOthersRun = async (): Promise<void> => void pauses++
      const result = await finder.replaceInTurns(text, name, letOthersRun)
      expect([result.trim(), pauses]).toEqual(['<key>', Math.ceil(text.length / border)])
      expect(finder.replace(text, name)).toBe(result)
    }
  }
})

/** Decodes with other means than the product, and returns what is left of the key. */
function readable(text: string, key: string, depth = 0): string | undefined {
  const parts = Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8).toLowerCase())
  const lower = text.toLowerCase()
  const part = parts.find((one) => lower.includes(one))
  if (part !== undefined) return `${part} in ${text}`
  if (depth === 4) return undefined
  for (const decoded of decodings(text)) {
    const found = decoded === text ? undefined : readable(decoded, key, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function* decodings(text: string): Generator<string> {
  const character = (base: number) => (_: string, code: string) => String.fromCharCode(parseInt(code, base))
  yield text.replaceAll(/%([\da-f]{2})/gi, character(16))
  yield text.replaceAll(/\\u([\da-f]{4})/gi, character(16)).replaceAll('\\\\', '\\')
  yield text.replaceAll(/\\x([\da-f]{2})/gi, character(16))
  yield text.replaceAll(/&#(\d{1,5});?/g, character(10))
  yield text.replaceAll(/&#x([\da-f]{1,5});?/gi, character(16))
  for (const run of text.replaceAll(/\r?\n/g, '').match(/[\w+/-]{11,}/g) ?? []) {
    for (const offset of [0, 1, 2, 3]) yield Buffer.from(run.slice(offset), 'base64').toString('latin1')
  }
  for (const run of text.match(/[\da-f]{16,}/gi) ?? []) {
    for (const offset of [0, 1]) yield Buffer.from(run.slice(offset), 'hex').toString('latin1')
  }
}

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  percent,
  json,
  javascript,
  doubled: (text) => json(text).replaceAll('\\', '\\\\'),
  decimal: (text) => each(text, (code) => `&#${code};`),
  open: (text) => each(text, (code) => `&#${code}`),
  hexadecimal: (text) => each(text, (code) => `&#x${digits(code, 2)};`),
  base64,
  base64url: (text) => Buffer.from(text).toString('base64url'),
  wrapped: (text) => wrap(base64(text)),
  hex,
}

test('no random key is readable after any three encodings in random surroundings', () => {
  const surroundings = fc.string({ maxLength: 40, unit: 'grapheme-ascii' })
  const layer = fc.record({
    before: surroundings,
    after: surroundings,
    encoding: fc.constantFrom(...Object.keys(ENCODINGS)),
  })
  const key = fc
    .array(fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.+/=$'), {
      minLength: 12,
      maxLength: 48,
    })
    .map((characters) => characters.join(''))

  fc.assert(
    fc.property(
      key,
      fc.array(layer, { maxLength: 3 }),
      surroundings,
      surroundings,
      (secret, layers, before, after) => {
        const text = layers.reduce(
          (inner, one) => ENCODINGS[one.encoding]!(`${one.before}${inner}${one.after}`),
          secret,
        )
        const result = createSecretFinder([secret]).replace(`${before}${text}${after}`, () => '<…>')
        expect(readable(result, secret)).toBeUndefined()
      },
    ),
    { numRuns: sized({ full: 2_000, small: 300 }) },
  )
})
