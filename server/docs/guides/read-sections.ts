import type { Token, Tokens } from 'marked'
import { idOf, parseGuide, type Guide } from './guides.ts'

interface Heading {
  /** The anchor of the heading, at the end of links to it. */
  readonly id: string
  readonly text: string
}

/** A heading of a guide with the text below it, up to the next heading. */
interface Section {
  readonly guide: Guide
  /** `null` for the beginning of the guide, whose heading is the title. */
  readonly heading: Heading | null
  /** Sentences and rows of tables, as plain text. */
  readonly sentences: readonly string[]
  /** The lines of code blocks. */
  readonly code: readonly string[]
}

/** Splits a guide at its headings. */
export function readSections(guide: Guide): readonly Section[] {
  const sections: { heading: Heading | null; tokens: Token[] }[] = []
  for (const token of parseGuide(guide)) {
    if (token.type === 'heading') {
      const { text, tokens } = token as Tokens.Heading
      const heading = { id: idOf(text), text: plainText(tokens) }
      sections.push({ heading: sections.length === 0 ? null : heading, tokens: [] })
    } else sections.at(-1)?.tokens.push(token)
  }
  return sections.map(({ heading, tokens }) => ({
    guide,
    heading,
    sentences: tokens.flatMap(sentencesOf),
    code: tokens.flatMap(codeOf),
  }))
}

function sentencesOf(token: Token): string[] {
  switch (token.type) {
    case 'code':
      return []
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].map((cells) => cells.map(({ tokens }) => plainText(tokens)).join(' · '))
    }
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(sentencesOf))
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.flatMap(sentencesOf)
    default:
      return splitSentences([token])
  }
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The `?` in code such as `?account=` ends no sentence. */
function splitSentences(tokens: readonly Token[]): string[] {
  const text = plainText(tokens)
  const withoutCode = plainText(tokens, (code) => code.replaceAll(/[^\s]/g, 'x'))
  return [...segmenter.segment(withoutCode)].flatMap(({ index, segment }) =>
    lines(text.slice(index, index + segment.length)),
  )
}

function codeOf(token: Token): string[] {
  switch (token.type) {
    case 'code':
      return lines((token as Tokens.Code).text)
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(codeOf))
    default:
      return []
  }
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The text of inline Markdown as a page shows it, on one line. `ofCode` returns what replaces a piece of code. */
function plainText(tokens: readonly Token[], ofCode = (code: string) => code): string {
  const parts = tokens.map((token): string => {
    if (token.type === 'codespan') return ofCode((token as Tokens.Codespan).text)
    if ('tokens' in token && token.tokens) return plainText(token.tokens, ofCode)
    return 'text' in token ? token.text : ''
  })
  return parts.join('').replaceAll(/\s+/g, ' ')
}
