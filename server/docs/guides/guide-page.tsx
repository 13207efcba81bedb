/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import {
  MAX_SEARCH_LENGTH,
  type GuideMatch,
  type GuideSearch,
  type Piece,
} from '../../domain/text/guide-search.ts'
import { DocsPage } from '../page.tsx'
import { InlineText } from '../text.tsx'
import { guideGroups, guideHtml, guides, type Guide } from './guides.ts'

const Menu = ({ here }: { here?: string }) => (
  <>
    {guideGroups.map((group) => (
      <>
        <h2>{group.title}</h2>
        <ul>
          {group.guides.map((guide) => (
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

/** One guide, next to a list of all the others. */
export const guidePage = (guide: Guide): string =>
  html(
    <DocsPage
      title={guide.title}
      here="/docs/guides"
      source={{ href: `/docs/guides/${guide.name}.md`, text: 'Markdown' }}
      contents={<Menu here={guide.name} />}
    >
      <article class="guide">{raw(guideHtml(guide))}</article>
    </DocsPage>,
  )

/** All guides, or the results of a search. `found` is missing if the search text was too long. */
export function guideIndex(search: string, found?: GuideSearch): string {
  return html(
    <DocsPage
      title="Guides"
      here="/docs/guides"
      source={{ href: '/llms.txt', text: 'Text' }}
      contents={<Menu />}
    >
      <h1>Guides</h1>
      <form role="search" class="search" action="/docs/guides">
        <label>
          Search the guides{' '}
          <input
            type="search"
            name="search"
            value={search.slice(0, MAX_SEARCH_LENGTH)}
            maxlength={MAX_SEARCH_LENGTH}
          />
        </label>
        <button type="submit">Search</button>
      </form>
      {search !== '' && (
        <p role="status">
          {found === undefined
            ? `A search may have ${MAX_SEARCH_LENGTH} characters. This one has ${search.length}.`
            : summarize(search, found)}
        </p>
      )}
      {found?.total === 0 && <Instead words={found.nearestWords} />}
      {found !== undefined && found.total > 0 ? (
        <>
          <Matches matches={found.matches} />
          <p>
            <a href="/docs/guides">Show all guides</a>
          </p>
        </>
      ) : (
        <AllGuides />
      )}
    </DocsPage>,
  )
}

function summarize(search: string, { total, matches, isSimilar }: GuideSearch): string {
  if (total === 0) return `No guide matches “${search}”.`
  if (isSimilar) return `No guide matches “${search}”. These sections contain similar words.`
  if (total > matches.length) return `The best ${matches.length} of ${total} sections that match “${search}”.`
  return `${total} ${total === 1 ? 'section matches' : 'sections match'} “${search}”.`
}

const Instead = ({ words }: { words: readonly string[] }) => (
  <p>
    {words.length === 0
      ? 'Search for other words'
      : words.map((word, index) => (
          <>
            {index === 0 ? 'Search for ' : ' or '}
            <a href={`/docs/guides?search=${encodeURIComponent(word)}`}>{word}</a>
          </>
        ))}
    , or choose a guide:
  </p>
)

const Matches = ({ matches }: { matches: readonly GuideMatch[] }) => (
  <dl class="guides">
    {matches.map(({ page, guide, heading, sentence }) => (
      <div>
        <dt>
          <a href={`/docs/guides/${page}`}>
            <Pieces pieces={guide} />
            {heading.length > 0 && (
              <>
                {' › '}
                <Pieces pieces={heading} />
              </>
            )}
          </a>
        </dt>
        <dd>
          <Pieces pieces={sentence} />
        </dd>
      </div>
    ))}
  </dl>
)

const Pieces = ({ pieces }: { pieces: readonly Piece[] }) => (
  <>{pieces.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</>
)

const AllGuides = () => (
  <dl class="guides">
    {guides.map(({ name, title, summary }) => (
      <div>
        <dt>
          <a href={`/docs/guides/${name}`}>{title}</a>
        </dt>
        <dd>
          <InlineText text={summary} />
        </dd>
      </div>
    ))}
  </dl>
)

const html = (page: unknown): string => `<!doctype html>${String(page)}`
