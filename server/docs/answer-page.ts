import type { Context } from 'hono'

/** The pages load nothing from other origins, and most run no script. The search of the guides is a plain form. */
const CSP =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** For a page with buttons that send examples to the sandbox. */
export const TRY_IT_CSP = `${CSP}; script-src 'self'; connect-src 'self'`

/** Responds with a page of the documentation. */
export const answerPage = (c: Context, html: string, status: 200 | 404 = 200, csp = CSP) =>
  c.html(html, status, {
    'content-security-policy': csp,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
