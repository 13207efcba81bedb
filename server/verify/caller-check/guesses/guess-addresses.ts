import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { redirectLocation } from '../../../domain/webhooks/redirect.ts'
import { paymentOutcomes } from '../../../domain/webhooks/webhook.ts'
import type { ComparedAddresses } from './compare-addresses.ts'

/**
 * The addresses at which someone who knows the first address may look for the second order. They have the number of the second
 * order, and either the secret of the first address or none.
 */
export function guessAddresses({
  parts,
  others,
  kinds,
  isName,
  isMade,
}: ComparedAddresses): readonly { readonly guess: string; readonly hasSecret: boolean }[] {
  const isOnlyName = (index: number): boolean => isName(index) || isMade(index)
  const hasName = kinds.some((kind, index) => kind === 'known' && isName(index))
  const hasKey = kinds.some((kind, index) => kind === 'secret' || isMade(index))
  // If an app adds a key to the name of an order, it does not rely on the name being secret.
  const isGuessable = kinds.some(
    (kind, index) => kind === 'known' && ((hasName && hasKey) || !isOnlyName(index)),
  )
  if (!isGuessable) return []
  const fill = (secret: (part: string) => string): string =>
    parts.map((part, index) => (kinds[index] === 'secret' ? secret(part) : others[index])).join('')
  const withoutSecret = fill(() => HOLE).replace(HOLES, '')
  const withSecret = fill((part) => part)
  const guesses = [withSecret, withoutSecret, withoutSecret.replace(EMPTY_PARAMETER, '')]
  return [...new Set(guesses)].map((guess) => ({
    guess,
    hasSecret: guess === withSecret && kinds.includes('secret'),
  }))
}

/** A key of which an app compares at most so many characters can be guessed. */
const MAX_COMPARED = 8

/** What opens the page of any order if an app searches for the key as a pattern, or writes it into a query. */
const PATTERNS = ['%', '*', '.*', "' or '1'='1", 'null', 'undefined']

/** The addresses that open the page of another order if an app does not compare its key, or only a part of it. */
export function guessSecrets(
  { name, others, kinds }: ComparedAddresses,
  { id, payId }: Pick<CheckedOrder, 'id' | 'payId'>,
): readonly string[] {
  if (!kinds.includes('secret')) return []
  const fill = (secret: (part: string, index: number) => string): string =>
    others.map((part, index) => (kinds[index] === 'secret' ? secret(part, index) : part)).join('')
  const hole = fill(() => HOLE)
  const withKey = (key: string): string => hole.replace(HOLES, encodeURIComponent(key))
  const length = others
    .filter((_part, index) => kinds[index] === 'secret')
    .join('')
    .replace(/[._-]/g, '').length
  const changed = (isKept: (place: number) => boolean): string => {
    let place = -1
    return fill((part) =>
      part.replace(/[^._-]/g, (one) => ((place += 1), isKept(place) ? one : otherThan(one))),
    )
  }
  return [
    ...[name, String(id), String(payId), ...PATTERNS].map(withKey),
    // An operator of the database.
    ...(/=\0/.test(hole) ? [hole.replace(/=\0/g, '[$ne]=\0').replace(HOLES, 'x')] : []),
    ...paymentOutcomes.map((status) =>
      redirectLocation(
        changed(() => false),
        payId,
        status,
      ),
    ),
    ...(length > MAX_COMPARED + 4
      ? [changed((place) => place < MAX_COMPARED), changed((place) => place >= length - MAX_COMPARED)]
      : []),
  ]
}

/** Another character that a key may contain at the same place. */
const otherThan = (one: string): string =>
  /\d/.test(one) ? String((Number(one) + 1) % 10) : one.toLowerCase() === 'a' ? 'b' : 'a'

/** Whether the page of another order is found by a key that anyone can compute from the name of the order, and by nothing else. */
export function isKeyMadeFromName({ kinds, isMade }: ComparedAddresses): boolean {
  const different = [...kinds.keys()].filter((index) => kinds[index] !== 'same')
  return different.length > 0 && different.every(isMade)
}

const HOLE = '\0'

const HOLES = /\0(?:[._-]+\0)*/g

const EMPTY_PARAMETER = /[?&][\w-]+=(?=&|#|$)/g
