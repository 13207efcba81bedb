import { isDeepStrictEqual } from 'node:util'
import type { ComparedAddresses } from './compare-addresses.ts'
import { isCountedUp } from './counted-up.ts'

/** Matches JSON in base64url, alone or as header and payload of a JWT. `{"` in base64 is `eyJ`. Rails ends the JSON with two hyphens. */
const TOKEN = /(eyJ(?:\w|-(?!-))+)(?:\.(eyJ[\w-]+)\.[\w-]*)?/g

/**
 * The addresses that open the page of another order if an app reads a token in the address and does not verify its signature. The
 * tokens have what can be guessed about the other order, and everything else from the first address.
 */
export function forgeTokens({ address, other, name }: ComparedAddresses): readonly string[] {
  const others = [...other.matchAll(TOKEN)]
  return [...address.matchAll(TOKEN)].flatMap(([token, first, second], index) => {
    const payload = second ?? first!
    const otherPayload = others[index]?.[2] ?? others[index]?.[1] ?? ''
    const [own, wanted] = [payload, otherPayload].map(decode)
    if (own === undefined || wanted === undefined || isDeepStrictEqual(own, wanted)) return []
    const counted = mix(own, wanted, isCountedUp)
    const named = mix(
      own,
      wanted,
      (value, otherValue) => isCountedUp(value, otherValue) || otherValue === name,
    )
    // Without a signature or another secret, an app may rely on names that nobody can guess.
    const isUnsigned =
      isDeepStrictEqual(named, wanted) && address.replace(payload, () => otherPayload) === other
    return [counted, ...(isUnsigned ? [] : [named])]
      .filter((forged) => !isDeepStrictEqual(forged, own))
      .flatMap((forged) => [
        address.replace(payload, () => encode(forged)),
        ...(second === undefined
          ? []
          : [address.replace(token, () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(forged)}.`)]),
      ])
  })
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mix(
  own: unknown,
  other: unknown,
  isGuessable: (value: string, otherValue: string) => boolean,
): unknown {
  if (isRecord(own) && isRecord(other))
    return Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, mix(value, other[name], isGuessable)]),
    )
  return isGuessable(String(own), String(other)) ? other : own
}
