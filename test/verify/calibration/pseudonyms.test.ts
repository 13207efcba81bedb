import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPseudonyms } from '../../../server/verify/calibration/pseudonyms.ts'
import { createRateLimit, readRate } from '../../../server/verify/calibration/rate-limit.ts'
import { sized } from '../../support/size.ts'

const ENCODINGS: readonly ((secret: string, before: string, after: string) => string)[] = [
  (secret, before, after) => before + secret + after,
  (secret, before, after) => encodeURIComponent(before + secret + after),
  (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  (secret, before, after) => new URLSearchParams({ before, secret, after }).toString(),
  (secret, before, after) => Buffer.from(before + secret + after).toString('base64'),
  (secret, before, after) => Buffer.from(before + secret + after).toString('base64url'),
  (secret, before, after) => encodeURIComponent(Buffer.from(before + secret + after).toString('base64')),
  (secret, before, after) => JSON.stringify({ [before]: secret + after }),
  (secret) =>
    [...secret].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`).join(''),
  (secret, before) => JSON.stringify(JSON.stringify({ secret, before })),
]

test('a key is replaced by a name, in plain text and in every encoding', () => {
  const key = fc.oneof(fc.stringMatching(/^[A-Za-z0-9]{12,40}$/), fc.stringMatching(/^[!-~]{12,40}$/))
  fc.assert(
    fc.property(
      key,
      fc.string(),
      fc.string(),
      fc.constantFrom(...ENCODINGS),
      (secret, before, after, encode) => {
        fc.pre(!/[<>]/.test(secret))
        const { text, isIn } = createPseudonyms([{ kind: 'key', secret }])
        const written = encode(secret, before, after)
        const masked = text(written)

        expect(isIn(written)).toBe(true)
        expect(masked).toMatch(/<key-[\da-f]{8}>/)
        for (const read of decodings(masked)) expect(read).not.toContain(secret)
        expect(text(masked)).toBe(masked)
      },
    ),
    { numRuns: sized({ full: 3_000, small: 500 }) },
  )
})

/** Every text that someone who looks for the key can decode. */
function decodings(text: string): string[] {
  const attempts = [
    () => decodeURIComponent(text),
    () => Buffer.from(text, 'base64').toString(),
    () => JSON.stringify(JSON.parse(text)),
    () => JSON.parse(`"${text}"`) as string,
  ]
  return [
    text,
    ...attempts.flatMap((attempt) => {
      try {
        return [attempt()]
      } catch {
        return []
      }
    }),
  ]
}

test('the name of a key is the same in every run, and other texts stay', () => {
  const { text, isIn } = createPseudonyms([
    { kind: 'key', secret: 'devKey0123456789' },
    { kind: 'recipient', secret: undefined },
  ])
  expect(text('token: devKey0123456789')).toBe(
    createPseudonyms([{ kind: 'key', secret: 'devKey0123456789' }]).text('token: devKey0123456789'),
  )
  expect([text('{"ResponseCode":1}'), isIn('{"ResponseCode":1}')]).toEqual(['{"ResponseCode":1}', false])
})

test('calls never exceed the rate, in any span of time', async () => {
  let now = 0
  const times: number[] = []
  const admit = createRateLimit(readRate('3/min'), {
    now: () => now,
    wait: async (ms) => void (now += ms),
  })
  for (const busy of [0, 10_000, 0, 5_000, 0, 70_000, 0, 0, 0]) {
    now += busy
    await admit()
    times.push(now)
  }
  expect(times).toEqual([0, 10_000, 10_000, 60_000, 70_000, 140_000, 140_000, 140_000, 200_000])
})
