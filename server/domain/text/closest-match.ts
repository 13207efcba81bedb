import { closestMatch } from 'leven'

/** The name that the user probably meant. `undefined` if no name is similar. */
export const findClosestMatch = (name: string, names: readonly string[]): string | undefined =>
  closestMatch(name.slice(0, 40), names, { maxDistance: Math.ceil(Math.min(name.length, 40) / 3) }) ??
  findSwapped(name, names) ??
  findByPrefix(name, names)

/**
 * The name in which two neighboring letters were swapped, like `pay` for `pya`. In the edit distance, a swap counts as two
 * changes.
 */
const findSwapped = (name: string, names: readonly string[]): string | undefined =>
  names.find((one) => one.length === name.length && isSwapped(one, name))

function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index])
  return other === one.slice(0, at) + (one[at + 1] ?? '') + one[at] + one.slice(at + 2)
}

const MIN_PREFIX_LENGTH = 4

/**
 * The only name that starts with the other name or is its beginning, as `callback_url` starts with `callback`. `undefined` if
 * there are several.
 */
function findByPrefix(name: string, names: readonly string[]): string | undefined {
  if (name.length < MIN_PREFIX_LENGTH) return undefined
  const longer = names.filter((one) => one.startsWith(name))
  return longer.length === 1 ? longer[0] : undefined
}

/** A hint that continues a sentence: `, did you mean paid?`. Empty if no name is similar. */
export const didYouMean = (name: string, names: readonly string[]): string =>
  withMatch(name, names, (match) => `, did you mean ${match}?`)

/** A hint that follows a sentence: ` Did you mean paid?`. Empty if no name is similar. */
export const didYouMeanSentence = (name: string, names: readonly string[]): string =>
  withMatch(name, names, (match) => ` Did you mean ${match}?`)

/** A hint that follows an invalid value: `; the nearest is paid`. Empty if no name is close. */
export const nearestName = (name: string, names: readonly string[]): string =>
  withMatch(name, names, (match) => `; the nearest is ${match}`)

function withMatch(name: string, names: readonly string[], write: (match: string) => string): string {
  const match = findClosestMatch(name, names)
  return match === undefined ? '' : write(match)
}
