import { Marked, type Token, type Tokens } from 'marked'

export interface Guide {
  /** The name of the file without its extension. It is also the end of the guide's address. */
  readonly name: string
  readonly title: string
  /** The first paragraph, which says what the reader will have at the end. */
  readonly summary: string
  /** The Markdown of the file, without comments that mark tables and values. */
  readonly text: string
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
}

const texts = import.meta.glob<string>('./*.md', { query: '?raw', import: 'default', eager: true })

/** Matches a code block, a comment on its own line with the empty lines after it, or any other comment. */
const CODE_OR_COMMENT = /^( *)```[^]*?^\1```$|^<!--.*?-->\n+|<!--.*?-->/gm

/** Removes the comments that mark tables and values, which a test keeps up to date. */
const withoutMarkers = (text: string): string =>
  text.replace(CODE_OR_COMMENT, (match) => (match.startsWith('<!--') ? '' : match))

/** The guides in the sequence in which the index lists them. Each is a Markdown file of this name in this folder. */
const groups = {
  Start: ['getting-started', 'testing-in-node', 'testing-in-any-language'],
  Payments: ['webhooks', 'checkout', 'url-maps', 'tunnels'],
  'Find mistakes': [
    'is-my-integration-correct',
    'checking-your-receiver',
    'simulating-failures',
    'undocumented-behavior',
    'which-assumption-breaks-my-suite',
    'compare-with-the-real-service',
    'diagnostics',
    'troubleshooting',
  ],
  Operate: [
    'time-seeds-and-snapshots',
    'reports-and-ci',
    'containers',
    'team-sandbox',
    'operating',
    'coding-assistants',
  ],
  Reference: ['command-line', 'configuration', 'control-api'],
} as const

/** The id that GitHub gives a heading, so that links work both in the repository and in the sandbox. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

/** Turns a link to another guide's file into a link to its page. */
const pageOf = (href: string): string => href.replace(/^([a-z-]+)\.md(?=#|$)/, '$1')

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      return `<a href="${pageOf(href)}">${this.parser.parseInline(tokens)}</a>`
    },
    code({ text, lang = '' }) {
      const [language = '', file] = lang.split(' ')
      const name = file?.includes('.') ? file : undefined
      const caption = name === undefined ? '' : `<p class="file"><code translate="no">${name}</code></p>`
      const label = name ?? (language === 'sh' ? 'Commands' : 'Example')
      return `${caption}<pre translate="no" tabindex="0" role="group" aria-label="${label}"><code>${escape(text)}</code></pre>\n`
    },
    codespan: ({ text }) => `<code translate="no">${escape(text)}</code>`,
    table(token) {
      const cell = ({ tokens }: Tokens.TableCell, tag: string) =>
        `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
      const head = token.header.map((one) => cell(one, 'th')).join('')
      const rows = token.rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`).join('')
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>\n`
    },
  },
})

/** All guides by group, in reading order. */
export const guideGroups: readonly GuideGroup[] = Object.entries(groups).map(([title, names]) => ({
  title,
  guides: names.map(readGuide),
}))

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides)

export const findGuide = (name: string): Guide | undefined => guides.find((guide) => guide.name === name)

/** The guide as HTML. Not sanitized, because its text belongs to the project. */
export const guideHtml = ({ text }: Guide): string => marked.parse(text, { async: false })

/** The address of the sandbox in the commands of the guides' files. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:4400'

/** Replaces this address with the address of a sandbox, so that copied commands reach that sandbox. */
export const withOrigin = (text: string, origin: string): string => text.replaceAll(DEFAULT_ORIGIN, origin)

export const parseGuide = ({ text }: Guide): readonly Token[] => marked.lexer(text)

function readGuide(name: string): Guide {
  const source = texts[`./${name}.md`]
  if (source === undefined) throw new Error(`There is no guide ${name}.md in server/docs/guides.`)
  const text = withoutMarkers(source)
  const tokens = marked.lexer(text)
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading')
  const summary = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph')
  return {
    name,
    title: heading?.text ?? name,
    summary: (summary?.text ?? '').replace(/:$/, '.'),
    text,
  }
}
