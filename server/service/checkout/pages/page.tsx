/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { Head } from '../../../platform/pages/head.tsx'

interface Props {
  readonly title: string
  readonly payId?: number
  /** The address after waiting. The page polls for it, with or without scripts. */
  readonly next?: string
  /**
   * Controls for the developer, which a real page does not have. They are separate from the customer's part of the
   * page.
   */
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
