/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'

interface Props {
  readonly title: string
  /** The URL of the style sheet. */
  readonly style: string
  readonly children?: Child
}

/** The head of every page that the server renders. */
export const Head = ({ title, style, children }: Props) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>{title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href={style} />
    {children}
  </head>
)
