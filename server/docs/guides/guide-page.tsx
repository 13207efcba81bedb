/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import { Page } from '../page.tsx'
import { InlineText } from '../text.tsx'
import { guideGroups, guideHtml, searchGuides, type Guide } from './guides.ts'

const Menu = ({ here }: { here?: string }) => (
  <>
    {guideGroups.map(({ title, guides }) => (
      <>
        <h2>{title}</h2>
        <ul>
          {guides.map((guide) => (
            <li>
              <a
                href={`/docs/guides/${guide.name}`}
                {...(guide.name === here ? { 'aria-current': 'page' as const } : {})}
              >
                {guide.title}
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </>
)

/** One guide, with the list of all others beside it. */
export const guidePage = (guide: Guide): string =>
  html(
    <Page
      title={guide.title}
      here="/docs/guides"
      source={{ href: `/docs/guides/${guide.name}.md`, text: 'Markdown' }}
      contents={<Menu here={guide.name} />}
    >
      <article class="guide">{raw(guideHtml(guide))}</article>
    </Page>,
  )

/** All guides, or those that match what was searched for. */
export function guideIndex(query: string): string {
  const found = searchGuides(query)
  return html(
    <Page title="Guides" here="/docs/guides" source={{ href: '/llms.txt', text: 'Text' }} contents={<Menu />}>
      <h1>Guides</h1>
      <form role="search" class="search" action="/docs/guides">
        <label>
          Search titles and headings <input type="search" name="q" value={query} />
        </label>
        <button type="submit">Search</button>
      </form>
      {query !== '' && (
        <p role="status">
          {found.length === 0
            ? `No guide matches “${query}”.`
            : `${found.length} ${found.length === 1 ? 'guide matches' : 'guides match'} “${query}”.`}{' '}
          <a href="/docs/guides">Show all guides</a>
        </p>
      )}
      <dl class="guides">
        {found.map(({ guide, headings }) => (
          <div>
            <dt>
              <a href={`/docs/guides/${guide.name}`}>{guide.title}</a>
            </dt>
            <dd>
              <InlineText text={guide.summary} />
            </dd>
            {query !== '' &&
              headings.map(({ id, text }) => (
                <dd>
                  <a href={`/docs/guides/${guide.name}#${id}`}>{text}</a>
                </dd>
              ))}
          </div>
        ))}
      </dl>
    </Page>,
  )
}

const html = (page: unknown): string => `<!doctype html>${String(page)}`
