import { z } from 'zod'
import { guides } from '../../docs/guides/guides.ts'
import { MAX_SEARCH_LENGTH, type Piece } from '../../domain/text/guide-search.ts'
import { ToolError } from '../explain-failure.ts'
import { guidePath } from '../resources.ts'
import { createTool } from '../tool.ts'

const MAX_MATCHES = 10

export const readGuideTool = createTool({
  name: 'read_guide',
  title: 'Read a guide',
  description:
    'Reads a guide about the sandbox or the payment API, finds guides by words (search), or lists them.',
  input: z.strictObject({
    guide: z.enum(guides.map(({ name }) => name)).optional(),
    search: z.string().trim().min(1).max(MAX_SEARCH_LENGTH).optional(),
  }),
  effect: { kind: 'reads' },
  async run({ guide, search }, { readText, sandbox }) {
    if (guide !== undefined && search !== undefined) {
      throw new ToolError('Pass guide to read a guide, or search to find one, but not both.')
    }
    if (guide !== undefined) return { lines: [await readText(guidePath(guide))] }
    if (search !== undefined) return { lines: await findSections(search, sandbox.url) }
    return { lines: guides.map(({ name, summary }) => `${name}: ${summary}`) }
  },
})

async function findSections(search: string, origin: string): Promise<readonly string[]> {
  // Loaded on demand, because loading builds the index, which most conversations do not need.
  const { searchGuides } = await import('../../docs/guides/search-guides.ts')
  const { total, matches, isSimilar, nearestWords } = searchGuides(search, { origin, limit: MAX_MATCHES })
  if (total === 0) {
    const hint = nearestWords.length > 0 ? ` Search for one of these words: ${nearestWords.join(', ')}.` : ''
    return [`No section of a guide contains all of these words.${hint}`]
  }
  const summary = isSimilar
    ? 'These sections contain similar words'
    : total === 1
      ? '1 section contains these words'
      : `${total} sections contain these words`
  return [
    `${summary}${total > matches.length ? `; the best ${matches.length}` : ''}:`,
    ...matches.map(({ page, sentence }) => `${page}: ${toText(sentence)}`),
  ]
}

const toText = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')
