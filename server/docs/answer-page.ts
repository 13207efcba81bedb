import type { Context } from 'hono'

/** These pages load nothing from other origins and run no script. The search of the guides is a form. */
const CSP =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Answers with a page of the documentation. */
export const answerPage = (c: Context, html: string, status: 200 | 404 = 200) =>
  c.html(html, status, {
    'content-security-policy': CSP,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
