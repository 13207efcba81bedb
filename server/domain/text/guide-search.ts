/** The maximum length of a search in the guides, in characters. Each of its words takes time. */
export const MAX_SEARCH_LENGTH = 200

/** A piece of a text that a search found. */
export interface Piece {
  readonly text: string
  /** Whether the piece is one of the words that were searched for. */
  readonly isMatch: boolean
}

/** A section of a guide that a search found. */
export interface GuideMatch {
  /** The end of the address, with the guide and the anchor of the heading, such as `webhooks#held-webhooks`. */
  readonly page: string
  /** The title of the guide. */
  readonly guide: readonly Piece[]
  /** Empty if the section is the beginning of a guide. */
  readonly heading: readonly Piece[]
  /** The sentence, line of code or table row that matches best. */
  readonly sentence: readonly Piece[]
}

export interface GuideSearch {
  /** How many sections were found. */
  readonly total: number
  /** The best sections, starting with the best one. */
  readonly matches: readonly GuideMatch[]
  /** Whether the sections contain only similar words, because no section contains all words exactly. */
  readonly isSimilar: boolean
  /** If nothing was found, words in the guides that the reader may have meant. */
  readonly nearestWords: readonly string[]
}

export interface GuideSearchOptions {
  /** The address of the sandbox, used in the commands of guides. */
  readonly origin: string
  /** The maximum number of matches to return. */
  readonly limit: number
}
