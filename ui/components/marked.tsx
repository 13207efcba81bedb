import { markPhrases, type MarkedPart, type Phrase } from '../search/words.ts'

/** A text with marked words of a search. */
export const Marked = ({ text, phrases }: { readonly text: string; readonly phrases: readonly Phrase[] }) =>
  phrases.length === 0 ? <>{text}</> : <Parts parts={markPhrases(text, phrases)} />

export const Parts = ({ parts }: { readonly parts: readonly MarkedPart[] }) => (
  <>{parts.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))}</>
)
