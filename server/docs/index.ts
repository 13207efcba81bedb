import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { BaseUrl } from '../platform/http/base-url.ts'
import controlsCss from '../platform/pages/controls.css?raw'
import tokensCss from '../platform/pages/tokens.css?raw'
import type { Document } from '../platform/openapi/document.ts'
import { answerPage, TRY_IT_CSP } from './answer-page.ts'
import docsCss from './docs.css?raw'
import tryItJs from './try-it.js?raw'
import guidesCss from './guides/guides.css?raw'
import { guideRoutes } from './guides/index.ts'

interface Options {
  readonly baseUrl: BaseUrl
  /** Creates the document of the v2 API. If the request has access to the control API, its examples contain an API key. */
  readonly api: (c: Context) => Promise<Document>
  readonly control: (c: Context) => Promise<Document>
  /** Rejects requests without access to the control API. */
  readonly guard: MiddlewareHandler
}

// Loaded at the first request for a page, so that the sandbox starts faster.
const loadPage = () => import('./document-page.tsx')

/** The OpenAPI document of the v2 API, both documents as pages, and the guides. */
export const docsRoutes = ({ baseUrl, api, control, guard }: Options) =>
  new Hono()
    .route('/', guideRoutes(baseUrl))
    .get('/openapi.json', async (c) => c.json(await api(c)))
    .get('/docs', async (c) => {
      const { documentPage } = await loadPage()
      const html = documentPage({ document: await api(c), here: '/docs', source: '/openapi.json' })
      return answerPage(c, html, 200, TRY_IT_CSP)
    })
    .get('/docs/control', guard, async (c) => {
      const { documentPage } = await loadPage()
      return answerPage(
        c,
        documentPage({
          document: await control(c),
          here: '/docs/control',
          source: '/_sandbox/openapi.json',
        }),
      )
    })
    .get('/docs/try-it.js', (c) =>
      c.body(tryItJs, 200, {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
      }),
    )
    .get('/docs/style.css', (c) =>
      c.body(tokensCss + controlsCss + docsCss + guidesCss, 200, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'no-cache',
      }),
    )
