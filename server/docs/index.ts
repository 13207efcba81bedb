import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { BaseUrl } from '../http/base-url.ts'
import controlsCss from '../styles/controls.css?raw'
import tokensCss from '../styles/tokens.css?raw'
import type { Document } from '../openapi/document.ts'
import { answerPage } from './answer-page.ts'
import docsCss from './docs.css?raw'
import { documentPage } from './document-page.tsx'
import guidesCss from './guides/guides.css?raw'
import { guideRoutes } from './guides/index.ts'

interface Options {
  readonly baseUrl: BaseUrl
  /** Creates the document of the v2 API. If the request is admitted, its examples contain an API key. */
  readonly api: (c: Context) => Document
  readonly control: (baseUrl: string) => Document
  /** Rejects requests that are not admitted to the control API. */
  readonly guard: MiddlewareHandler
}

/** The OpenAPI document of the v2 API, both documents as pages, and the guides. */
export const docsRoutes = ({ baseUrl, api, control, guard }: Options) =>
  new Hono()
    .route('/', guideRoutes(baseUrl))
    .get('/openapi.json', (c) => c.json(api(c)))
    .get('/docs', (c) =>
      answerPage(c, documentPage({ document: api(c), here: '/docs', source: '/openapi.json' })),
    )
    .get('/docs/control', guard, (c) => {
      const document = control(baseUrl(c))
      return answerPage(
        c,
        documentPage({ document, here: '/docs/control', source: '/_sandbox/openapi.json' }),
      )
    })
    .get('/docs/style.css', (c) =>
      c.body(tokensCss + controlsCss + docsCss + guidesCss, 200, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'no-cache',
      }),
    )
