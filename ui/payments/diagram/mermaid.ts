import type { DiagramItem, Lane } from './build-diagram.ts'
import { laneNames } from './lanes.ts'

const ids: Readonly<Record<Lane, string>> = { app: 'A', sandbox: 'S', customer: 'C', receiver: 'R' }

/** A sequence diagram as Mermaid text, which GitHub and GitLab render. */
export function toMermaid(items: readonly DiagramItem[]): string {
  const used = new Set(items.flatMap(lanesOf))
  const shown = (Object.keys(ids) as Lane[]).filter((lane) => lane === 'sandbox' || used.has(lane))
  const ends = [shown[0]!, shown.at(-1)!].map((lane) => ids[lane])
  const everywhere = [...new Set(ends)].join(',')
  return [
    'sequenceDiagram',
    ...shown.map((lane) => `participant ${ids[lane]} as ${escapeText(laneNames[lane])}`),
    ...items.flatMap((item) => linesOf(item, everywhere)),
  ].join('\n    ')
}

const lanesOf = (item: DiagramItem): readonly Lane[] => {
  if (item.kind === 'attempt') return ['sandbox', 'receiver']
  return 'from' in item ? [item.from, item.to] : []
}

function linesOf(item: DiagramItem, everywhere: string): string[] {
  switch (item.kind) {
    case 'call':
      return [
        `${ids[item.from]}->>${ids[item.to]}: ${escapeText(item.label.text)}`,
        `${ids[item.to]}-->>${ids[item.from]}: ${escapeText(item.answer.text)}`,
      ]
    case 'step':
      return [`${ids[item.from]}->>${ids[item.to]}: ${escapeText(item.label.text)}`]
    case 'attempt':
      return attemptLines(item)
    case 'note':
      return [`Note over S: ${escapeText(item.label.text)}`]
    case 'clock':
      return [`Note over ${everywhere}: ${escapeText(item.text)}`]
  }
}

function attemptLines(item: Extract<DiagramItem, { kind: 'attempt' }>): string[] {
  const wait = item.wait === null ? [] : [`Note over S: ${escapeText(item.wait)}`]
  if (!item.isSent) return [...wait, `Note over S: ${escapeText(`${item.label.text}: ${item.answer.text}`)}`]
  // A cross at the end means that there was no answer.
  return item.isAnswered
    ? [...wait, `S->>R: ${escapeText(item.label.text)}`, `R-->>S: ${escapeText(item.answer.text)}`]
    : [...wait, `S-xR: ${escapeText(`${item.label.text}: ${item.answer.text}`)}`]
}

/**
 * Replaces characters with a meaning in Mermaid with entity codes. Line breaks end a statement, and the word `end` closes a
 * block.
 */
export const escapeText = (text: string): string =>
  text
    .replace(/[#;%<>{}"`\\]/g, (character) => `#${character.codePointAt(0)};`)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\bend\b/gi, (word) => `#${word.codePointAt(0)};${word.slice(1)}`)
    .trim()
