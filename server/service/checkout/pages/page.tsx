/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { Head } from '../../../platform/pages/head.tsx'

interface Props {
  readonly title: string
  readonly payId?: number
  /** The address of the next page. This page polls until the next one is available, with or without scripts. */
  readonly next?: string
  /** Controls for the developer, separate from what the customer sees. A real page does not have them. */
  readonly developer?: Child
  readonly children?: Child
}

/** The layout of every page. */
export function PageLayout({ title, payId, next, developer, children }: Props) {
  return (
    <html lang="en">
      <Head title={title} style="/payment/style.css">
        {next !== undefined && (
          <>
            <script src="/payment/waiting.js" defer></script>
            <noscript>
              <meta http-equiv="refresh" content={`3;url=${next}`} />
            </noscript>
          </>
        )}
      </Head>
      <body>
        <header>
          <strong>paylink-sandbox</strong> · No real money moves on this page.
        </header>
        <main>
          <div class="card">{children}</div>
          {developer !== undefined && (
            <aside class="developer" aria-label="Sandbox controls">
              <h2>For the developer</h2>
              {developer}
            </aside>
          )}
        </main>
        <footer>
          {payId !== undefined && <>Payment {payId} · </>}
          <a href={payId === undefined ? '/' : `/#/payments/${payId}`}>Open in inspector</a>
        </footer>
      </body>
    </html>
  )
}
