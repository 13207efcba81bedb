import { Hono, type Context } from 'hono'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import { answerPage } from '../answer-page.ts'
import type { Guide, GuideGroup } from './guides.ts'

// Parsing the guides takes time that no start needs, so they are loaded with the first request for one of them.
const loadGuides = () => import('./guides.ts')
const loadPages = () => import('./guide-page.tsx')

/** The guides as pages and as Markdown, and `llms.txt`, which lists them for programs. */
export const guideRoutes = (baseUrl: BaseUrl) =>
  new Hono()
    .get('/llms.txt', async (c) => {
      const { guideGroups } = await loadGuides()
      return c.text(listForPrograms(guideGroups, baseUrl(c)))
    })
    .get('/docs/guides', async (c) => {
      const { guideIndex } = await loadPages()
      return answerPage(c, guideIndex(c.req.query('q')?.trim().slice(0, 200) ?? ''))
    })
    .get('/docs/guides/:file', async (c, next) => {
      const [, name = '', isText] = /^(.*?)(\.md)?$/s.exec(c.req.param('file')) ?? []
      const { findGuide } = await loadGuides()
      const found = findGuide(name)
      if (!found) {
        if (isText !== undefined) return next()
        const { guideIndex } = await loadPages()
        return answerPage(c, guideIndex(c.req.param('file').replaceAll('-', ' ').slice(0, 200)), 404)
      }
      // Puts the address of this sandbox into the commands, so that copied commands reach it and not another sandbox.
      const guide = { ...found, text: found.text.replaceAll(DEFAULT_ORIGIN, baseUrl(c)) }
      if (isText !== undefined) return markdown(c, guide)
      const { guidePage } = await loadPages()
      return answerPage(c, guidePage(guide))
    })

/** The address that commands have in the guides of the repository. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:4400'

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
