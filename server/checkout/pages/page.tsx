/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { Head } from '../../styles/head.tsx'

interface Props {
  readonly title: string
  readonly payId?: number
  /** Where a page goes on that waits for something. It asks by itself, with scripts or without. */
  readonly next?: string
  /** What a real page lacks, kept apart from what a customer would see. */
  readonly developer?: Child
  readonly children?: Child
}

/** The frame of every page a customer sees. */
export function Page({ title, payId, next, developer, children }: Props) {
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
          <strong>Sandbox.</strong> No real money moves on this page.
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
