import { charactersOf, type Characters } from './characters.ts'
import { decodeByteLists, mayHaveByteLists } from './byte-lists.ts'
import { decodeRuns, mayHaveRuns } from './encoded-runs.ts'
import { joinLines } from './join-lines.ts'
import { unescape } from './unescape.ts'

/** The minimum length of a part of a secret that is also masked. */
const PART_LENGTH = 8

/** How many layers of base64 or hexadecimal are decoded. */
const MAX_ENCODINGS = 4

/**
 * A text is searched in pieces of this length, because a search of a megabyte takes a second, and other work must run in between.
 */
const PIECE_LENGTH = 6_000

/**
 * How far a piece extends into the next one. Longer than the part of a secret in several encodings, so that a secret across two
 * pieces is found in one of them.
 */
const OVERLAP = 2_000

const MAX_REMEMBERED = 10_000
const MAX_REMEMBERED_LENGTH = 200

/** Where a text contains a secret or a part of it: from `start` to before `end`. */
interface Place {
  readonly start: number
  readonly end: number
  readonly secret: string
}

/** Finds a set of secrets in texts. */
export interface SecretFinder {
  isIn(text: string): boolean
  /** Replaces each place that contains a secret, together with all characters of its encoding. */
  replace(text: string, replacementOf: Replacement): string
  /** Like `replace`, but lets other work run between the pieces of a long text. */
  replaceInTurns(text: string, replacementOf: Replacement, letOthersRun: LetOthersRun): Promise<string>
}

type Replacement = (secret: string) => string

/** Called between the steps of long work. */
export type LetOthersRun = () => Promise<void>

/** The character codes of a secret in one encoding. */
interface Form {
  readonly secret: string
  readonly codes: Uint16Array
}

/** The part of a form that starts at `at`. All parts have the same length. */
interface Part {
  readonly form: Form
  readonly at: number
}

/**
 * Finds secrets, and parts of secrets with at least eight characters: in any case, percent-encoded, escaped in JSON, JavaScript
 * or HTML, as base64 at any offset, as hexadecimal digits, as lists of bytes, split over lines, and in combinations of these.
 * Shorter secrets are found only as a whole, and not in base64, in hexadecimal or across lines, where they would be found by
 * chance. Parts that also occur in `publicTexts` are ignored: the key of *Flower Shop* contains `FlowerShop`, and so do public
 * addresses.
 */
export const createSecretFinder = (
  secrets: readonly string[],
  publicTexts: readonly string[] = [],
): SecretFinder => finish(prepare(secrets, publicTexts))

/** Like `createSecretFinder`, but lets other work run in between, because thousands of accounts have many secrets. */
export const createSecretFinderInTurns = (
  secrets: readonly string[],
  publicTexts: readonly string[],
  letOthersRun: LetOthersRun,
): Promise<SecretFinder> => finishInTurns(prepare(secrets, publicTexts), letOthersRun)

/** Work in small steps, with its result. */
type Steps<Result> = Generator<undefined, Result>

function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

async function finishInTurns<Result>(steps: Steps<Result>, letOthersRun: LetOthersRun): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await letOthersRun()
  }
}

function* prepare(secrets: readonly string[], publicTexts: readonly string[]): Steps<SecretFinder> {
  const formsByLength = new Map<number, Form[]>()
  for (const secret of new Set(secrets)) {
    if (secret !== '') {
      for (const form of formsOf(secret)) {
        const length = Math.min(form.codes.length, PART_LENGTH)
        const others = formsByLength.get(length)
        if (others) others.push(form)
        else formsByLength.set(length, [form])
      }
    }
    yield
  }
  const publicParts = new Set<string>()
  for (const text of publicTexts) {
    for (const part of partsOf(codesOf(text), PART_LENGTH)) publicParts.add(part)
    yield
  }
  const searches: Search[] = []
  for (const [length, forms] of formsByLength) searches.push(yield* createSearch(forms, length, publicParts))
  const longSearches = searches.filter(({ length }) => length === PART_LENGTH)
  const shortest = Math.min(...searches.map(({ length }) => length))
  /** Short texts that contain no secret. Most texts of an export repeat, such as names of headers, media types and paths. */
  const clean = new Set<string>()

  /** Yields after each piece of the text, and returns the places of all pieces. */
  function* find(text: string): Steps<Place[]> {
    if (text.length < shortest || clean.has(text)) return []
    const places: Place[] = []
    for (let from = 0; from < text.length; from += PIECE_LENGTH) {
      for (const { start, end, secret } of search(text.slice(from, from + PIECE_LENGTH + OVERLAP)))
        places.push({ start: from + start, end: from + end, secret })
      yield
    }
    if (places.length === 0 && text.length <= MAX_REMEMBERED_LENGTH && clean.size < MAX_REMEMBERED)
      clean.add(text)
    return merge(places)
  }

  function search(text: string): Place[] {
    const places: Place[] = []
    const look = (characters: Characters, encodings: number): void => {
      const used = encodings === 0 ? searches : longSearches
      const unescaped = unescape(characters)
      // An escape may start before an encoded text and end inside it: `%2e46…`.
      const readings = unescaped ? [characters, unescaped] : [characters]
      for (const reading of readings) for (const one of used) one.find(reading, places)
      if (longSearches.length === 0) return
      // Lines are not joined for short secrets, because joined lines could contain one by chance.
      const oneLine = joinLines(unescaped ?? characters)
      if (oneLine) for (const one of longSearches) one.find(oneLine, places)
      if (encodings === MAX_ENCODINGS) return
      for (const reading of oneLine ? [...readings, oneLine] : readings)
        for (const decoded of decodings(reading)) look(decoded, encodings + 1)
    }
    look(charactersOf(text), 0)
    return places
  }

  return {
    isIn: (text) => finish(find(text)).length > 0,
    replace: (text, replacementOf) => replacePlaces(text, finish(find(text)), replacementOf),
    replaceInTurns: async (text, replacementOf, letOthersRun) =>
      replacePlaces(text, await finishInTurns(find(text), letOthersRun), replacementOf),
  }
}

function replacePlaces(text: string, places: readonly Place[], replacementOf: Replacement): string {
  if (places.length === 0) return text
  const pieces: string[] = []
  let end = 0
  for (const place of places) {
    pieces.push(text.slice(end, place.start), replacementOf(place.secret))
    end = place.end
  }
  return pieces.join('') + text.slice(end)
}

function* decodings(characters: Characters): Generator<Characters> {
  if (mayHaveRuns(characters.codes, PART_LENGTH)) yield* decodeRuns(characters, PART_LENGTH)
  if (mayHaveByteLists(characters.codes)) yield* decodeByteLists(characters)
}

/** Joins places that overlap. */
function merge(places: Place[]): Place[] {
  const merged: Place[] = []
  for (const place of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || place.start >= last.end) merged.push(place)
    else if (place.end > last.end) merged[merged.length - 1] = { ...last, end: place.end }
  }
  return merged
}

/** A secret with characters beyond ASCII is searched both as text and as UTF-8 bytes, because decoding returns bytes. */
function formsOf(secret: string): Form[] {
  const form = { secret, codes: codesOf(secret) }
  const bytes = new TextEncoder().encode(secret)
  return bytes.length === secret.length
    ? [form]
    : [form, { secret, codes: Uint16Array.from(bytes, (byte) => FOLDED[byte]!) }]
}

/** The folded codes of a text. Escapes are not decoded, because the secret itself may look like an escape: `a%41b`. */
function codesOf(text: string): Uint16Array {
  const characters = charactersOf(text)
  return (unescape(characters) ?? characters).codes.map(fold)
}

/** Maps uppercase letters to lowercase, and a space to a plus, as in forms. */
const FOLDED = Uint16Array.from({ length: 256 }, (_, code) => {
  if (code >= 65 && code <= 90) return code + 32
  return code === 32 ? 43 : code
})

const fold = (code: number): number => (code < 256 ? FOLDED[code]! : code)

const partsOf = (codes: Uint16Array, length: number): string[] =>
  Array.from({ length: Math.max(0, codes.length - length + 1) }, (_, at) => partAt(codes, at, length))

const partAt = (codes: Uint16Array, at: number, length: number): string =>
  String.fromCharCode(...codes.subarray(at, at + length))

/** A search for the parts of one length. */
interface Search {
  readonly length: number
  find(text: Characters, found: Place[]): void
}

const BASE = 0x01000193

/**
 * Many secrets may share a part. It is enough to compare a few of them, because the rest of a secret is found by its other parts.
 */
const MAX_EQUAL_PARTS = 4

/**
 * Searches for parts of one length with a rolling hash of the last `length` characters. A bit table rules out nearly every place
 * at once.
 */
function* createSearch(
  forms: readonly Form[],
  length: number,
  publicParts: ReadonlySet<string>,
): Steps<Search> {
  const partsByHash = new Map<number, Part[]>()
  const mayMatch = new Uint8Array(1 << 16)
  for (const form of forms) {
    const all = partsOf(form.codes, length)
    const isPublic = all.every((part) => publicParts.has(part))
    for (const [at, part] of all.entries()) {
      if (!isPublic && publicParts.has(part)) continue
      const hash = hashOf(form.codes.subarray(at, at + length))
      const parts = partsByHash.get(hash) ?? []
      if (parts.length < MAX_EQUAL_PARTS) parts.push({ form, at })
      partsByHash.set(hash, parts)
      mayMatch[hash >>> 16] = 1
    }
    yield
  }
  let leavingFactor = 1
  for (let power = 0; power < length; power += 1) leavingFactor = Math.imul(leavingFactor, BASE)

  function find({ codes, startOf, endOf }: Characters, found: Place[]): void {
    let hash = 0
    let searchedTo = 0
    for (let at = 0; at < codes.length; at += 1) {
      hash = (Math.imul(hash, BASE) + fold(codes[at]!)) | 0
      if (at >= length) hash = (hash - Math.imul(fold(codes[at - length]!), leavingFactor)) | 0
      if (at < length - 1 || at < searchedTo || mayMatch[hash >>> 16] === 0) continue
      const match = longestMatch(codes, at - length + 1, partsByHash.get(hash), searchedTo)
      if (!match) continue
      found.push({ start: startOf(match.from), end: endOf(match.to - 1), secret: match.secret })
      searchedTo = match.to
    }
  }

  /** The part that starts here and belongs to the longest match in both directions. */
  function longestMatch(codes: Uint16Array, start: number, parts: readonly Part[] = [], notBefore: number) {
    let longest: { readonly from: number; readonly to: number; readonly secret: string } | undefined
    for (const { form, at } of parts) {
      let from = start
      let to = start
      for (
        let i = at;
        i < form.codes.length && to < codes.length && fold(codes[to]!) === form.codes[i];
        i += 1
      )
        to += 1
      if (to - start < length) continue
      for (let i = at - 1; i >= 0 && from > notBefore && fold(codes[from - 1]!) === form.codes[i]; i -= 1)
        from -= 1
      if (!longest || to - from > longest.to - longest.from) longest = { from, to, secret: form.secret }
    }
    return longest
  }

  return { length, find }
}

const hashOf = (codes: Uint16Array): number =>
  codes.reduce((hash, code) => (Math.imul(hash, BASE) + code) | 0, 0)
