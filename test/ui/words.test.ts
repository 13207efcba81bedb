import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsIn } from '../../ui/search/readings.ts'
import { foldText } from '../../ui/data/fold-text.ts'
import { contains, correctWord, markPhrases, toPhrase, toPhrases } from '../../ui/search/words.ts'

const finds = (typed: string, text: string): boolean =>
  toPhrases(typed.split(' ')).every((phrase) => contains(foldText(text), phrase))

test.each([
  ['order 12', 'Order 12'],
  ['order 12', 'Order 12, 7 roses'],
  ['order 12', 'order #12'],
  ['order-12', 'Order 12'],
  ['order12', 'Order 12'],
  ['order 12', 'Order12'],
  ['ord', 'Order 12'],
  ['12', 'Order 12'],
  ['127.0.0.1', '127.0.0.1:4731/hooks'],
  ['4731', '127.0.0.1:4731/hooks'],
  ['127.0.0', '127.0.0.1:4731/hooks'],
  ['127.0.0.1:4731/hooks', 'http://127.0.0.1:4731/hooks'],
  ['http://localhost:3000', 'http://localhost:3000/hooks'],
  ['hooks', 'http://localhost:3000/hooks'],
  ['public', 'shop.example.com is a public host'],
  ['€50', '€50.00'],
  ['€50.70', '€50.70 approved'],
  ['50.70', '€50.70'],
  ['12 ms', '12ms'],
  ['12ms', '12 ms'],
  ['jörg', 'Blumen für JÖRG'],
  ['jorg', 'Blumen für JÖRG'],
  ['JÖRG', 'Jo\u0308rg'],
  ['cafe', 'Café Zur Post'],
  ['50,70', '€50.70'],
  ['50.70', 'Preis: 50,70'],
  ['1,250.50', '€1,250.50'],
  ['a1b2', 'link a1b2c3'],
  ['localhost:3000', 'localhost:3000/hooks · status: Success'],
  ['[::1]:3000', 'http://[::1]:3000/hooks'],
  ['→', 'a → b'],
  ['pay_id', 'the pay_id differs'],
  ['花', '薔薇の花束'],
  ['🌹', 'Order 🌹'],
  ['2xx', 'expected 2xx'],
  ['https://*.preview.example.com', 'https://*.preview.example.com → localhost'],
  ['foo-----bar', 'foo-----bar'],
])('the search %j finds %j', (typed, text) => {
  expect(finds(typed, text)).toBe(true)
})

test.each([
  ['order 12', 'Order 127'],
  ['order 12', 'Order 32, 12 roses'],
  ['order 12', 'Order 5\n12'],
  ['order 12', 'Reorder 12'],
  ['12', '127.0.0.1:4731/hooks'],
  ['12', '12.50'],
  ['12', '€12.00'],
  ['7', '50.70'],
  ['7', '€50.7'],
  ['50', '€50.70'],
  ['0', '127.0.0.1'],
  ['12', '12ms'],
  ['12', 'rcp_12ab'],
  ['€5', '€50.70'],
  ['€50', '€50.70'],
  ['1', '1,250.00'],
  ['250', '1,250.00'],
  ['link', 'blink'],
  ['', 'anything'],
])('the search %j does not find %j', (typed, text) => {
  expect(finds(typed, text)).toBe(false)
})

test('a number without a name matches amounts and numbers with a unit', () => {
  expect(contains('€12.00', toPhrase('12', true))).toBe(true)
  expect(contains('12ms', toPhrase('12', true))).toBe(true)
  expect(contains('€12.50', toPhrase('12', true))).toBe(false)
  expect(contains('127', toPhrase('12', true))).toBe(false)
})

const marked = (typed: string, text: string): string =>
  markPhrases(text, toPhrases(typed.split(' ')))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

test.each([
  ['order 12', 'Order 12, reorder 12', '[Order 12], reorder 12'],
  ['ros', 'Roses, 2 roses', '[Ros]es, 2 [ros]es'],
  ['link', 'createSplitLink', 'createSplit[Link]'],
  ['or order', 'Order', '[Order]'],
  ['x', 'Order', 'Order'],
  // In lower case, this letter has another length.
  ['i', 'İi i', 'İi i'],
])('the search %j marks %j', (typed, text, expected) => {
  expect(marked(typed, text)).toBe(expected)
})

test.each([
  ['ordr', 'order'],
  ['orrder', 'order'],
  ['oder', 'order'],
  ['ordwr', 'order'],
  ['odrer', 'order'],
  ['orders', 'order'],
  ['roces', 'roses'],
  ['orde', undefined],
  ['oredres', undefined],
  ['ros', undefined],
  ['12', undefined],
])('the search %j is corrected to %j', (typed, expected) => {
  expect(correctWord(typed, new Set(['order', 'roses']))).toBe(expected)
})

test('a word that occurs in a text is never corrected, in any script', () => {
  const text = fc.array(
    fc.constantFrom('a', 'b', 'É', 'ß', '\u0301', 'ª', 'µ', 'я', 'א', 'ก', '中', '𝐚', ' ', '1', '-', '،'),
    {
      maxLength: 50,
    },
  )
  fc.assert(
    fc.property(text, fc.nat(49), fc.integer({ min: 4, max: 12 }), (signs, from, length) => {
      const folded = foldText(signs.join(''))
      const word = foldText(signs.slice(from, from + length).join(''))
      fc.pre(/^[\p{L}\p{M}]{4,}$/u.test(word) && contains(folded, toPhrase(word)))

      expect(correctWord(word, wordsIn([folded]))).toBeUndefined()
    }),
    { numRuns: 2_000 },
  )
})
