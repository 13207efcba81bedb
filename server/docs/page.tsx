/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { Head } from '../platform/pages/head.tsx'

interface Props {
  readonly title: string
  readonly here: string
  /** The link to the same content in a format for programs. */
  readonly source: { readonly href: string; readonly text: string }
  readonly contents: Child
  /** The path of a script. */
  readonly script?: string
  readonly children?: Child
}

const pages = [
  ['/docs/guides', 'Guides'],
  ['/docs', 'API, version 2'],
  ['/docs/control', 'Control API'],
] as const

/** The frame of every documentation page: navigation, contents, and the page itself. */
export const DocsPage = ({ title, here, source, contents, script, children }: Props) => (
  <html lang="en">
    <Head title={title} style="/docs/style.css" />
    <body>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <strong>paylink-sandbox</strong>
        <nav aria-label="Documents">
          {pages.map(([path, name]) => (
            <a href={path} {...(path === here ? { 'aria-current': 'page' as const } : {})}>
              {name}
            </a>
          ))}
        </nav>
        <nav aria-label="Elsewhere">
          <a href={source.href}>{source.text}</a>
          <a href="/">Inspector</a>
        </nav>
      </header>
      <div class="columns">
        <nav class="contents" aria-label="Contents" tabindex={0}>
          {contents}
        </nav>
        <main id="content">{children}</main>
      </div>
      {script !== undefined && <script type="module" src={script} />}
    </body>
  </html>
)
