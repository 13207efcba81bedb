import { foldText } from '../data/fold-text.ts'
import { isListable } from '../data/word-list.ts'

/**
 * Words that a text contains next to each other, such as `order` and `12`. A word is found by its beginning, a number only as a
 * whole: `ord 12` is in "Order 12", but not in "Order 127" or "12.50".
 */
export interface Phrase {
  /** Folded. Empty for signs such as `→`, which are searched exactly. */
  readonly pieces: readonly string[]
  readonly typed: string
  /** Whether `.00` or letters may follow the number: `12` is in `€12.00` and in `12ab`. */
  readonly isLoose: boolean
  /** The maximum number of signs between two pieces. */
  readonly maxGap: number
  /** Whether this is the beginning of an id such as `a1b2c3`, in which letters follow a number. */
  readonly isId: boolean
  /** A word and the number after it, which may also be in different places, as in `webhook 500`. */
  readonly apart?: readonly [word: Phrase, number: Phrase]
}

/** A part of a text. */
export interface MarkedPart {
  readonly text: string
  readonly isMatch: boolean
}

const PIECE = /€?\d+(?:[.,]\d+)*|[\p{L}\p{M}]+/gu
/** More signs may be between pieces than the user has typed: `order 12` is in "Order: #12". */
const MIN_GAP = 3
const UNIT = /^(?:ms|s|min|h|d)$/

export function toPhrase(typed: string, isLoose = false): Phrase {
  const folded = foldText(typed)
  const gaps = folded.split(PIECE).slice(1, -1)
  return {
    typed: folded,
    pieces: folded.match(PIECE) ?? [],
    maxGap: Math.max(MIN_GAP, ...gaps.map(({ length }) => length)),
    isLoose,
    isId: /\p{L}\d+$/u.test(folded),
  }
}

const isNumber = ({ pieces }: Phrase): boolean => pieces.length === 1 && endsInDigit(pieces[0]!)
export const hasNumber = ({ pieces }: Phrase): boolean => pieces.some(endsInDigit)
const isWord = ({ pieces }: Phrase): boolean => pieces.length === 1 && !endsInDigit(pieces[0]!)

/**
 * A whole number belongs to the word before it, as in `order 12`, but an amount does not. A unit belongs to its number, as in
 * `12 ms` and `€ 12`.
 */
export function toPhrases(words: readonly string[]): readonly Phrase[] {
  const phrases: Phrase[] = []
  for (const word of words) {
    // Rows separate their parts by this sign.
    if (word === '·') continue
    const phrase = toPhrase(word)
    const before = phrases.at(-1)
    if (before && /^\d+$/.test(phrase.pieces.join(' ')) && isWord(before)) {
      phrases.splice(-1, 1, { ...toPhrase(`${before.typed} ${word}`), apart: [before, phrase] })
    } else if (before && isNumber(before) && UNIT.test(phrase.typed)) {
      phrases.splice(-1, 1, toPhrase(`${before.typed} ${word}`))
    } else if (before?.typed === '€' && isNumber(phrase)) {
      phrases.splice(-1, 1, toPhrase(`€${word}`))
    } else phrases.push(phrase)
  }
  return phrases
}

/**
 * A phrase that finds more: with its word and number in different places, or with a unit after the number. `undefined` if there
 * is none.
 */
export function loosen(phrases: readonly Phrase[]): readonly Phrase[] | undefined {
  const [first, ...others] = phrases
  if (first && others.length === 0 && isNumber(first)) return [toPhrase(first.typed, true)]
  return phrases.some(({ apart }) => apart) ? phrases.flatMap((phrase) => phrase.apart ?? phrase) : undefined
}

/**
 * Whether a folded text contains a phrase. Searching the last piece alone is much faster, and most texts do not contain it: many
 * notes begin with `order`, but few have the number 12.
 */
export const contains = (text: string, phrase: Phrase): boolean =>
  text.includes(phrase.pieces.at(-1) ?? '') && find(text, phrase, 0) !== undefined

/** A text with marked phrases. */
export function markPhrases(text: string, phrases: readonly Phrase[]): readonly MarkedPart[] {
  const folded = foldText(text)
  // A few letters have another length when folded, so the positions are computed again for them.
  const places =
    folded.length === text.length ? phrases.flatMap((phrase) => findAll(folded, phrase, text)) : []
  const parts: MarkedPart[] = []
  let end = 0
  for (const [from, to] of places.toSorted((one, other) => one[0] - other[0] || other[1] - one[1])) {
    if (to <= end) continue
    const start = Math.max(from, end)
    if (start > end) parts.push({ text: text.slice(end, start), isMatch: false })
    parts.push({ text: text.slice(start, to), isMatch: true })
    end = to
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}

type Place = readonly [start: number, end: number]

function findAll(text: string, phrase: Phrase, original: string): Place[] {
  const places: Place[] = []
  let place = find(text, phrase, 0, original)
  while (place !== undefined) {
    places.push(place)
    place = find(text, phrase, place[1], original)
  }
  return places
}

/** `original` is the text before folding, which shows the words in `createSplitLink`. */
function find(
  text: string,
  { pieces, typed, maxGap, isLoose, isId }: Phrase,
  from: number,
  original = text,
): Place | undefined {
  const first = pieces[0] ?? typed
  if (first === '') return undefined
  for (let at = text.indexOf(first, from); at !== -1; at = text.indexOf(first, at + 1)) {
    if (pieces.length === 0) return [at, at + first.length]
    if (!isStart(text, at, original)) continue
    const end = endOfPhrase(text, at, pieces, maxGap, isLoose, isLoose || isId)
    if (end !== -1) return [at, end]
  }
  return undefined
}

const NEW_LINE = 10

function endOfPhrase(
  text: string,
  at: number,
  pieces: readonly string[],
  maxGap: number,
  isLoose: boolean,
  mayHaveLetters: boolean,
): number {
  let end = at
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]!
    if (index > 0) {
      const limit = end + maxGap
      while (end < limit && isGap(text.charCodeAt(end)) && !text.startsWith(piece, end)) end += 1
      if (!text.startsWith(piece, end)) return -1
    }
    end += piece.length
    const isLast = index === pieces.length - 1
    if (
      endsInDigit(piece)
        ? continuesNumber(text, end, piece, isLast && !mayHaveLetters, isLoose)
        : !isLast && isLetter(text.charCodeAt(end))
    )
      return -1
  }
  return end
}

/** Whether a word or number can begin here, and not inside another one. */
function isStart(text: string, at: number, original: string): boolean {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  if (isDigit(code) && isPoint(before) && isDigit(text.charCodeAt(at - 2))) return false
  if (!isDigit(before) && !isLetter(before)) return true
  if (!isDigit(code) && !isLetter(code)) return true
  const letter = original[at]!
  return original !== text && letter !== letter.toLowerCase() && original[at - 1] === text[at - 1]
}

/** Whether a number continues, or has a unit, after the digits that were found. */
function continuesNumber(
  text: string,
  end: number,
  piece: string,
  isWhole: boolean,
  isLoose: boolean,
): boolean {
  const next = text.charCodeAt(end)
  if (isDigit(next)) return true
  if (isPoint(next) && isDigit(text.charCodeAt(end + 1))) {
    if (isAddress(piece)) return false
    return !((isLoose || piece.startsWith('€')) && /^\.00(?!\d)/.test(text.slice(end, end + 4)))
  }
  return isWhole && isLetter(next)
}

/** The beginning of an IP address. */
const isAddress = (piece: string): boolean => piece.split('.').length > 2

const endsInDigit = (piece: string): boolean => isDigit(piece.charCodeAt(piece.length - 1))
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isPoint = (code: number): boolean => code === 46 || code === 44
/**
 * Signs of scripts without spaces between words, such as Thai and Chinese, do not count as letters, because each can begin a
 * word.
 */
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 0xc0 && code < 0xe00 && code !== 0xd7 && code !== 0xf7)
const isGap = (code: number): boolean => code !== NEW_LINE && !isDigit(code) && !isLetter(code)

/**
 * The word that differs in one letter, or by two swapped letters. `undefined` if a word begins with the typed text, or if none
 * is similar.
 */
export function correctWord(typed: string, words: Iterable<string>): string | undefined {
  if (typed.length < 4 || !isListable(typed)) return undefined
  let close: string | undefined
  for (const word of words) {
    if (word.startsWith(typed)) return undefined
    if (Math.abs(word.length - typed.length) > 1 || !differsInOneLetter(typed, word)) continue
    // People rarely mistype the first letter.
    if (close === undefined || (word[0] === typed[0] && close[0] !== typed[0])) close = word
  }
  return close
}

function differsInOneLetter(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const rest = [one.slice(start), other.slice(start)] as const
  const [left, right] = rest
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left.length > 1 && isSwapped)
  )
}
