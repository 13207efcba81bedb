import { Hono } from 'hono'
import { z } from 'zod'
import { readonlyList, schemaFor } from '../../contract/schemas/fields.ts'
import { MAX_SEARCH_LENGTH, type GuideSearch } from '../../domain/text/guide-search.ts'
import type { ControlContext } from '../context.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { limit } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'

const SearchQuery = z.strictObject({
  search: z
    .string()
    .trim()
    .min(1, { error: 'should not be empty' })
    .max(MAX_SEARCH_LENGTH)
    .meta({
      description: 'Words. A section of a guide has to contain all of them, in any form.',
      examples: ['slow receiver'],
    }),
  limit: limit(10, 100),
})

const pieces = readonlyList(z.object({ text: z.string(), isMatch: z.boolean() }))

const Search = schemaFor<GuideSearch>()(
  z
    .object({
      total: z.int().meta({ description: 'How many sections were found.' }),
      matches: readonlyList(
        z.object({
          page: z.string().meta({
            description: 'The end of the address, after `/docs/guides/`, such as `webhooks#held-webhooks`.',
          }),
          guide: pieces.meta({ description: 'The title of the guide.' }),
          heading: pieces.meta({ description: 'Empty for the beginning of a guide.' }),
          sentence: pieces.meta({
            description: 'The sentence, line of code or row of a table with most of the words.',
          }),
        }),
      ).meta({
        description: 'Best first. Each text is divided into the words that were searched for and the rest.',
      }),
      isSimilar: z.boolean().meta({
        description: 'Whether the sections contain similar words, because none contains all words as typed.',
      }),
      nearestWords: readonlyList(z.string()).meta({
        description: 'If nothing was found, words of the guides that you may have meant.',
      }),
    })
    .meta({ id: 'GuideSearch', description: 'The sections of guides that a search found.' }),
)

export const guideRoute = ({ searchGuides, baseUrl }: ControlContext) =>
  new Hono().get(
    '/',
    describeRoute({
      summary: 'Search the guides',
      description:
        'Finds sections by their title, heading and text. A word with one typing error counts if nothing else is found.',
      responses: { 200: Search },
    }),
    query(SearchQuery),
    async (c) => {
      const { search, limit: most } = c.req.valid('query')
      return c.json(await searchGuides(search, { origin: baseUrl(c), limit: most }))
    },
  )
