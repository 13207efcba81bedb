import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { BaseUrl } from '../http/base-url.ts'
import controlsCss from '../styles/controls.css?raw'
import tokensCss from '../styles/tokens.css?raw'
import type { Document } from '../openapi/document.ts'
import docsCss from './docs.css?raw'
import { documentPage } from './document-page.tsx'

interface Options {
  readonly baseUrl: BaseUrl
  /** Its examples have a key for whoever may see one. */
  readonly api: (c: Context) => Document
  readonly control: (baseUrl: string) => Document
  /** Who may see the control API. */
  readonly guard: MiddlewareHandler
}

/** Nothing on these pages comes from elsewhere, and no script runs. */
const CSP =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The document of the v2 API, and both documents as pages. That of the control API stands beside its routes. */
export const docsRoutes = ({ baseUrl, api, control, guard }: Options) =>
  new Hono()
    .get('/openapi.json', (c) => c.json(api(c)))
    .get('/docs', (c) =>
      answer(c, documentPage({ document: api(c), here: '/docs', source: '/openapi.json' })),
    )
    .get('/docs/control', guard, (c) => {
      const document = control(baseUrl(c))
      return answer(c, documentPage({ document, here: '/docs/control', source: '/_sandbox/openapi.json' }))
    })
    .get('/docs/style.css', (c) =>
      c.body(tokensCss + controlsCss + docsCss, 200, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'no-cache',
      }),
    )

const answer = (c: Context, html: string) =>
  c.html(html, 200, {
    'content-security-policy': CSP,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
