import { hash } from 'node:crypto'

/** The maximum difference between the two numbers. Other customers may order in between. */
const MAX_DISTANCE = 20

/** Whether a part of an address has a number, in plain text, in base64 or as a hash, and the other one has one of the next numbers. */
export function isCountedUp(part: string, other: string): boolean {
  const number = numberBehind(part)
  const otherNumber = number === undefined ? undefined : numberBehind(other)
  if (otherNumber !== undefined) return isCountedUp(String(number), String(otherNumber))
  const [text, otherText] = [decoded(part), decoded(other)]
  if (text !== undefined && otherText !== undefined)
    return (
      withoutNumber(text) === withoutNumber(otherText) && isCountedUp(numberIn(text), numberIn(otherText))
    )
  const [, prefix, from] = NUMBERED.exec(part) ?? []
  const [, otherPrefix, to] = NUMBERED.exec(other) ?? []
  const distance = Number(to) - Number(from)
  return prefix === otherPrefix && distance > 0 && distance <= MAX_DISTANCE
}

/** A number, such as `17` or `order17`. */
const NUMBERED = /^([a-z]*)(\d+)$/i

/** What a key says in base64. `undefined` if it says something without a number, or not readable. */
function decoded(key: string): string | undefined {
  if (!/^[\w+/-]{6,}={0,2}$/.test(key)) return undefined
  const text = Buffer.from(key, 'base64').toString('latin1')
  return /^[ -~]*\d[ -~]*$/.test(text) ? text : undefined
}

const LAST_NUMBER = /\d+(?=\D*$)/

const numberIn = (text: string): string => LAST_NUMBER.exec(text)?.[0] ?? ''

const withoutNumber = (text: string): string => text.replace(LAST_NUMBER, '')

/** The hashes of numbers, by the length of their hexadecimal digits. */
const ALGORITHMS: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }

/** Apps that count their orders have seldom more of them when they are tested. */
const MAX_NUMBER = 20_000

/** The number of which a key is the hash. Anyone can compute the keys of other numbers. `undefined` if it is not the hash of a small one. */
function numberBehind(key: string): number | undefined {
  const algorithm = /^[\da-f]+$/i.test(key) ? ALGORITHMS[key.length] : undefined
  if (algorithm === undefined) return undefined
  const digits = key.toLowerCase()
  for (let number = 0; number <= MAX_NUMBER; number += 1)
    if (hash(algorithm, String(number)) === digits) return number
  return undefined
}
