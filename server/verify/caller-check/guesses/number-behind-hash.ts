import { createHash } from 'node:crypto'

/** The hashes of numbers, by the length of their hexadecimal digits. */
const ALGORITHMS: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }

/** Apps that count their orders have seldom more of them when they are tested. */
const MAX_NUMBER = 20_000

const known = new Map<string, number | undefined>()

/** The number of which a key is the hash. Anyone can compute the keys of other numbers. `undefined` if it is not the hash of a small one. */
export function numberBehind(key: string): number | undefined {
  const algorithm = /^[\da-f]+$/i.test(key) ? ALGORITHMS[key.length] : undefined
  if (algorithm === undefined) return undefined
  if (!known.has(key)) known.set(key, search(algorithm, Buffer.from(key, 'hex')))
  return known.get(key)
}

function search(algorithm: string, hash: Buffer): number | undefined {
  for (let number = 0; number <= MAX_NUMBER; number += 1)
    if (createHash(algorithm).update(String(number)).digest().equals(hash)) return number
  return undefined
}
