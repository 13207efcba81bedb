import { Hono, type Context } from 'hono'
import { MAX_SEARCH_LENGTH } from '../../domain/text/guide-search.ts'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import { answerPage } from '../answer-page.ts'
import type { Guide, GuideGroup } from './guides.ts'

// Loaded at the first request, because parsing and indexing the guides would delay startup.
const loadGuides = () => import('./guides.ts')
const loadPages = () => import('./guide-page.tsx')
const loadSearch = () => import('./search-guides.ts')

/** If a search finds more, the reader should search for something else. */
const MAX_MATCHES = 30

/** The guides as pages and as Markdown, and `llms.txt`, which lists them for programs. */
export function guideRoutes(baseUrl: BaseUrl) {
  async function indexPage(c: Context, search: string): Promise<string> {
    const { guideIndex } = await loadPages()
    if (search === '' || search.length > MAX_SEARCH_LENGTH) return guideIndex(search)
    const { searchGuides } = await loadSearch()
    return guideIndex(search, searchGuides(search, { origin: baseUrl(c), limit: MAX_MATCHES }))
  }

  return new Hono()
    .get('/llms.txt', async (c) => {
      const { guideGroups } = await loadGuides()
      return c.text(listForPrograms(guideGroups, baseUrl(c)))
    })
    .get('/docs/guides', async (c) => answerPage(c, await indexPage(c, c.req.query('search')?.trim() ?? '')))
    .get('/docs/guides/:file', async (c, next) => {
      const [, name = '', isText] = /^(.*?)(\.md)?$/s.exec(c.req.param('file')) ?? []
      const { findGuide, withOrigin } = await loadGuides()
      const found = findGuide(name)
      if (!found) {
        if (isText !== undefined) return next()
        return answerPage(c, await indexPage(c, c.req.param('file').replaceAll('-', ' ')), 404)
      }
      const guide = { ...found, text: withOrigin(found.text, baseUrl(c)) }
      if (isText !== undefined) return markdown(c, guide)
      const { guidePage } = await loadPages()
      return answerPage(c, guidePage(guide))
    })
}

const markdown = (c: Context, { text }: Guide) =>
  c.body(text, 200, { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-cache' })

/** In the format of llmstxt.org. */
const listForPrograms = (groups: readonly GuideGroup[], base: string): string =>
  [
    '# paylink-sandbox',
    '',
    '> A local sandbox of the Payment Link Service API, version 2, with webhooks, a checkout page and an inspector.',
    ...groups.flatMap(({ title, guides }) => [
      '',
      `## ${title}`,
      '',
      ...guides.map((guide) => `- [${guide.title}](${base}/docs/guides/${guide.name}.md): ${guide.summary}`),
    ]),
    '',
    '## OpenAPI',
    '',
    `- [The emulated API](${base}/openapi.json)`,
    `- [The control API](${base}/_sandbox/openapi.json)`,
    '',
  ].join('\n')
