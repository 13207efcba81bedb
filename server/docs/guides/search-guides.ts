import MiniSearch, { type QueryCombination, type SearchResult } from 'minisearch'
import { stemmer } from 'stemmer'
import { findClosestMatch } from '../../domain/text/closest-match.ts'
import type { GuideMatch, GuideSearch, GuideSearchOptions, Piece } from '../../domain/text/guide-search.ts'
import { guides, withOrigin } from './guides.ts'
import { readSections } from './read-sections.ts'

const MAX_SENTENCE_LENGTH = 200
const MAX_NEAREST_WORDS = 5

/** `pay_id` is one word, `--fail-on` is two words. */
const WORD = /[\p{L}\p{N}]+(?:[_'’][\p{L}\p{N}]+)*/gu

/** Words that say nothing about the subject of a question. They are searched only if there are no other words. */
const FILLERS = new Set(
  (
    'a an and any are as at be been by can could did do does for from get had has have how i if in into is it its ' +
    'me my no not of on or our should so that the their them then there these they this to use was we what when ' +
    'where which who why will with would you your aren can didn doesn don isn won'
  ).split(' '),
)

/** The words in lower case. The `https` of an address is left out, because addresses are everywhere. */
const splitWords = (text: string): string[] =>
  (text.replaceAll(/\bhttps?:\/\//gi, '').match(WORD) ?? []).map((word) =>
    word.toLowerCase().replace(/['’].*/, ''),
  )

/** `retri` for `retry`, `retries` and `retried`. `https` stays unchanged, because it is not the plural of `http`. */
const computeStem = (word: string): string => (word === 'https' ? word : stemmer(word))

// The index is built when this module is loaded, at the first search.
const sections = guides.flatMap(readSections)
const wordsInGuides = sections.flatMap(({ guide, heading, sentences, code }) =>
  [guide.title, heading?.text ?? '', ...sentences, ...code].flatMap(splitWords),
)
const stems = new Map([...new Set(wordsInGuides)].map((word) => [word, computeStem(word)]))
const stemOf = (word: string): string => stems.get(word) ?? computeStem(word)

const index = new MiniSearch<{ id: number }>({
  fields: ['title', 'heading', 'text', 'code', 'guide'],
  tokenize: splitWords,
  processTerm: (word) => [...new Set([word, stemOf(word)])],
})
index.addAll(
  sections.map(({ guide, heading, sentences, code }, id) => ({
    id,
    title: heading ? '' : guide.title,
    heading: heading?.text ?? '',
    text: sentences.join('\n'),
    code: code.join('\n'),
    // A heading can also be found by the title of its guide: a search for `tunnel key` finds a heading about keys in the guide
    // about tunnels.
    guide: heading ? guide.title : '',
  })),
)

/**
 * Finds the sections of the guides that contain all words of a text. A section may also contain a different form of a word
 * (`retries` for `retry`), or a word that starts with it. If no section is found, each word may have one typing error.
 */
export function searchGuides(text: string, { origin, limit }: GuideSearchOptions): GuideSearch {
  const typed = [...new Set(splitWords(text))]
  const subjects = typed.filter((word) => !FILLERS.has(word))
  const words = subjects.length > 0 ? subjects : typed
  const exact = find(words, exactly)
  const found =
    exact.length > 0 ? exact : find(words, (word) => (isInGuides(word) ? exactly : withTypo)(word))
  return {
    total: found.length,
    matches: found.slice(0, limit).map((result) => present(result, origin)),
    isSimilar: exact.length === 0 && found.length > 0,
    nearestWords: found.length > 0 ? [] : nearestWords(words),
  }
}

type WordQuery = (word: string) => QueryCombination

const exactly: WordQuery = (word) => ({
  combineWith: 'OR',
  queries: [word],
  // The index has both a word and its stem. The stem counts little, because `retry` would otherwise count twice as much as
  // `retries`.
  boostTerm: (term) => (term === stemOf(word) ? 1 : 0.1),
  // A number is found only as a whole: 12 does not find 127.
  prefix: (term) => term === word && /^\p{L}{3}/u.test(word),
})

const withTypo: WordQuery = (word) =>
  /^\p{L}{5,30}$/u.test(word)
    ? { combineWith: 'OR', queries: [word, ...swapsOf(word)], fuzzy: (term) => term === word && 1 }
    : exactly(word)

/** This word with two neighboring letters swapped. In a search by edit distance, a swap would count as two typing errors. */
function swapsOf(word: string): string[] {
  const letters = [...word]
  return letters.slice(1).map((letter, at) => letters.toSpliced(at, 2, letter, letters[at]!).join(''))
}

const find = (words: readonly string[], toQuery: WordQuery): SearchResult[] =>
  index
    .search(
      { combineWith: 'AND', queries: words.map(toQuery) },
      {
        boost: { title: 20, heading: 8, code: 0.3, guide: 0.1 },
        weights: { prefix: 0.1, fuzzy: 0.3 },
        // A match in the title of its guide is not enough for a section, because all sections of that guide would match.
        filter: ({ match }) =>
          Object.values(match).some((fields) => fields.some((field) => field !== 'guide')),
      },
    )
    .toSorted((one, other) => scoreOf(other) - scoreOf(one))

/** MiniSearch multiplies the score by the number of matching terms, but a word and its stem are one word. */
const scoreOf = ({ score, queryTerms }: SearchResult): number => score / queryTerms.length

const isInGuides = (word: string): boolean => find([word], exactly).length > 0

const suggestions = [...stems.keys()].filter((word) => /^\p{L}{3,}$/u.test(word))

/** Replaces each word that is in no guide with the most similar word in the guides. */
const nearestWords = (words: readonly string[]): string[] => [
  ...new Set(
    words
      .slice(0, MAX_NEAREST_WORDS)
      .flatMap((word) => (isInGuides(word) ? word : (findClosestMatch(word, suggestions) ?? []))),
  ),
]

type IsMatch = (word: string) => boolean

function present({ id, terms, queryTerms }: SearchResult, origin: string): GuideMatch {
  const { guide, heading, sentences, code } = sections[Number(id)]!
  const words = new Set(terms)
  const isMatch: IsMatch = (text) =>
    splitWords(text).some((word) => words.has(word) || words.has(stemOf(word)))
  const corrected = terms.filter((term) => !queryTerms.some((typed) => term.startsWith(typed)))
  const sentence = chooseSentence([...sentences, ...code], [...queryTerms, ...corrected])
  return {
    page: heading ? `${guide.name}#${heading.id}` : guide.name,
    guide: toPieces(guide.title, isMatch),
    heading: toPieces(heading?.text ?? '', isMatch),
    sentence: toPieces(shorten(withOrigin(sentence, origin), isMatch), isMatch),
  }
}

/** How much a match counts if only the beginning of a word matches, compared with a whole word. */
const FIT_OF_BEGINNING = 0.3

/** The sentence that matches the search words best. A word counts more if only few sentences contain it. */
function chooseSentence(sentences: readonly string[], searchWords: readonly string[]): string {
  const wordsOf = sentences.map(splitWords)
  const weights = sentences.map(() => 0)
  for (const term of searchWords) {
    const fits = wordsOf.map((words) =>
      words.some((word) => stemOf(word) === term)
        ? 1
        : words.some((word) => word.startsWith(term))
          ? FIT_OF_BEGINNING
          : 0,
    )
    const count = fits.filter((fit) => fit > 0).length
    fits.forEach((fit, at) => (weights[at]! += fit === 0 ? 0 : fit / count))
  }
  return sentences[weights.indexOf(Math.max(...weights))] ?? ''
}

/** Cuts a long sentence before and after its first match, between words. */
function shorten(sentence: string, isMatch: IsMatch): string {
  if (sentence.length <= MAX_SENTENCE_LENGTH) return sentence
  const match = [...sentence.matchAll(WORD)].find(([word]) => isMatch(word))?.index ?? 0
  const start =
    match < MAX_SENTENCE_LENGTH / 2 ? 0 : sentence.lastIndexOf(' ', match - MAX_SENTENCE_LENGTH / 4) + 1
  const end = start + MAX_SENTENCE_LENGTH
  const kept = sentence.slice(start, end < sentence.length ? sentence.lastIndexOf(' ', end) : undefined)
  return `${start > 0 ? '… ' : ''}${kept}${start + kept.length < sentence.length ? ' …' : ''}`
}

function toPieces(text: string, isMatch: IsMatch): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    if (!isMatch(word)) continue
    if (start > end) pieces.push({ text: text.slice(end, start), isMatch: false })
    pieces.push({ text: word, isMatch: true })
    end = start + word.length
  }
  return end < text.length ? [...pieces, { text: text.slice(end), isMatch: false }] : pieces
}
