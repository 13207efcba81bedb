import { expect } from 'vitest'
import { guides } from '../../server/docs/guides/guides.ts'
import type { GuideSearch, Piece } from '../../server/domain/text/guide-search.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** The page of a search, with its results. */
async function searchPage({ url }: OpenSandbox, text: string) {
  const response = await fetch(`${url}/docs/guides?search=${encodeURIComponent(text)}`)
  const html = await response.text()
  const main = /<main.*<\/main>/s.exec(html)![0]
  const results = [...main.matchAll(/<dt><a href="(.*?)">(.*?)<\/a><\/dt><dd>(.*?)<\/dd>/gs)]
  return {
    status: response.status,
    html,
    message: /<p role="status">(.*?)<\/p>/.exec(main)?.[1],
    results: results.map(([, href, title, sentence]) => ({ href, title, sentence })),
  }
}

/** The answer of the control API to a search. */
async function search({ control }: OpenSandbox, text: string): Promise<GuideSearch> {
  const { answer } = await control('GET', `/guides?limit=100&search=${encodeURIComponent(text)}`)
  return answer
}

const pagesOf = ({ matches }: GuideSearch): string[] => matches.map(({ page }) => page)

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

const matchesIn = (pieces: readonly Piece[]): string[] =>
  pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)

test.for([
  ['retry', 'webhooks#how-the-sandbox-delivers', 'The reference mentions no <mark>retries</mark>.'],
  [
    'idempotent',
    'checking-your-receiver#what-your-app-must-answer',
    'Your receiver must be <mark>idempotent</mark>',
  ],
  ['duplicate', 'simulating-failures#effects', '<mark>duplicate</mark>:&lt;copies&gt; · The webhook is sent'],
  ['https', 'undocumented-behavior#links-and-payments', 'Calls to the service must use <mark>HTTPS</mark>.'],
  [
    'slow receiver',
    'checking-your-receiver#what-your-app-must-answer',
    'A <mark>slow</mark> <mark>receiver</mark> fails the test.',
  ],
] as const)('“%s” finds the guide with the sentence', async ([words, page, sentence], { sandbox }) => {
  const { results } = await searchPage(sandbox, words)

  expect(results).toContainEqual({
    href: `/docs/guides/${page}`,
    title: expect.stringContaining(' › '),
    sentence: expect.stringContaining(sentence),
  })
})

test('the page of guides searches without a script and leads to the heading', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/docs/guides`)

  await page.getByRole('searchbox', { name: 'Search the guides' }).fill('held WEBHOOK')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Webhooks › Held webhooks', exact: true }).click()

  await page.getByRole('heading', { name: 'Held webhooks' }).waitFor()
  expect(page.url()).toBe(`${sandbox.url}/docs/guides/webhooks#held-webhooks`)
  expect(page.problems).toEqual([])
})

test('titles come first, then headings, then other texts, and every link leads to its heading', async ({
  sandbox,
}) => {
  const found = await search(sandbox, 'webhooks')

  const ranks = found.matches.map(({ guide, heading }) =>
    heading.length === 0 && matchesIn(guide).length > 0 ? 0 : matchesIn(heading).length > 0 ? 1 : 2,
  )
  expect(ranks).toEqual(ranks.toSorted())
  expect([...new Set(ranks)]).toEqual([0, 1, 2])
  expect(found).toMatchObject({ total: found.matches.length, isSimilar: false, nearestWords: [] })
  for (const { name } of guides) {
    const html = await (await fetch(`${sandbox.url}/docs/guides/${name}`)).text()
    const anchors = pagesOf(found).flatMap((page) => (page.startsWith(`${name}#`) ? page.split('#')[1]! : []))
    for (const anchor of anchors) expect(html, name).toContain(`id="${anchor}"`)
  }
})

test.for([
  ['retry', 'retries', 'retried'],
  ['duplicate', 'duplicates', 'duplicated'],
  ['idempotent', 'idempotency', 'idempotently'],
] as const)('the search finds %s in every form', async (forms, { sandbox }) => {
  const found = await Promise.all(forms.map((word) => search(sandbox, word)))

  const pages = found.map((one) => pagesOf(one).toSorted())
  expect(pages[0]!.length).toBeGreaterThan(0)
  expect(pages).toEqual([pages[0], pages[0], pages[0]])
  expect(found.map(({ isSimilar }) => isSimilar)).toEqual([false, false, false])
})

test('a word is found by its beginning, but not by its middle, and a number only as a whole', async ({
  sandbox,
}) => {
  const [beginning, middle, number] = await Promise.all([
    search(sandbox, 'idempo'),
    search(sandbox, 'dempotent'),
    search(sandbox, '12'),
  ])

  expect(pagesOf(beginning)).toContain('checking-your-receiver#what-your-app-must-answer')
  expect(beginning.isSimilar).toBe(false)
  // The search treats the middle of a word as a typing error.
  expect(middle.isSimilar).toBe(true)
  expect(number.total).toBeGreaterThan(0)
  expect([...new Set(number.matches.flatMap(({ sentence }) => matchesIn(sentence)))]).toEqual(['12'])
})

test('all words must be in a section or in the title of its guide', async ({ sandbox }) => {
  const [both, one] = await Promise.all([
    search(sandbox, 'tunnel laptop'),
    search(sandbox, 'tunnel xylophone'),
  ])

  expect(both.total).toBeGreaterThan(0)
  for (const { guide, heading, sentence } of both.matches) {
    expect(matchesIn([...guide, ...heading, ...sentence]).join(' ')).toMatch(/tunnel|laptop/i)
  }
  expect(one).toEqual({ total: 0, matches: [], isSimilar: false, nearestWords: ['tunnel'] })
})

test('a search for https does not find http', async ({ sandbox }) => {
  const found = await search(sandbox, 'https')

  const marked = found.matches.flatMap(({ heading, sentence }) => matchesIn([...heading, ...sentence]))
  const words = marked.map((word) => word.toLowerCase())
  expect(words).toContain('https')
  expect(words).not.toContain('http')
})

test('a question finds the sections about its subject', async ({ sandbox }) => {
  const found = await search(sandbox, "Why doesn't my webhook arrive?")

  expect(pagesOf(found)).toContain('troubleshooting#no-webhook-arrives')
})

test('code, flags and table rows are found, and commands have the URL of this sandbox', async ({
  sandbox,
}) => {
  const [flag, code, row] = await Promise.all([
    search(sandbox, '--count-pointer'),
    search(sandbox, 'curl forged-webhook'),
    search(sandbox, 'keyInAuthorization'),
  ])

  expect(pagesOf(flag)).toContain('checking-your-receiver#also-check-your-orders')
  expect(textOf(code.matches[0]!.sentence)).toBe(
    `curl -X POST ${sandbox.url}/_sandbox/v1/links/1001/forged-webhook \\`,
  )
  expect(pagesOf(row)).toEqual(['diagnostics#codes'])
})

test('one typing error is forgiven only if nothing else is found', async ({ sandbox }) => {
  const [swapped, missing, right] = await Promise.all([
    search(sandbox, 'webhokos'),
    search(sandbox, 'idmpotent'),
    search(sandbox, 'webhooks'),
  ])

  expect(swapped).toMatchObject({ isSimilar: true, nearestWords: [] })
  expect(pagesOf(swapped)[0]).toBe('webhooks')
  expect(pagesOf(missing)).toEqual(['checking-your-receiver#what-your-app-must-answer'])
  expect(right.isSimilar).toBe(false)
  expect((await searchPage(sandbox, 'webhokos')).message).toBe(
    'No guide matches “webhokos”. These sections contain similar words.',
  )
})

test('a search without a result offers the most similar words and all guides', async ({ sandbox }) => {
  const { message, html, results } = await searchPage(sandbox, 'tunnel idempitint')

  expect(message).toBe('No guide matches “tunnel idempitint”.')
  expect(html).toContain('<a href="/docs/guides?search=tunnel">tunnel</a>')
  expect(html).toContain('<a href="/docs/guides?search=idempotent">idempotent</a>')
  expect(results.map(({ href }) => href)).toEqual(guides.map(({ name }) => `/docs/guides/${name}`))
})

const LONG = 'webhook '.repeat(1250)

test.for([
  ['nothing', '', undefined],
  ['blanks', '   ', undefined],
  [
    'markup',
    '<script>alert(1)</script>xylo',
    'No guide matches “&lt;script&gt;alert(1)&lt;/script&gt;xylo”.',
  ],
  ['a quote', '" onfocus="alert(1)', 'No guide matches “&quot; onfocus=&quot;alert(1)”.'],
  ['a pattern', '.*+?^${}()|[]\\', 'No guide matches “.*+?^${}()|[]\\”.'],
  ['an emoji', '🎉', 'No guide matches “🎉”.'],
  ['names of properties', '__proto__ toString', 'No guide matches “__proto__ toString”.'],
  ['9999 characters', LONG, 'A search may have 200 characters. This one has 9999.'],
] as const)('a search for %s gets a clear answer and all guides', async ([, text, message], { sandbox }) => {
  const found = await searchPage(sandbox, text)

  expect(found).toMatchObject({ status: 200, message })
  expect(found.results).toHaveLength(guides.length)
  expect(found.html).not.toMatch(/<script|" onfocus=/)
})

test('the control API refuses a search without text or with too much', async ({ sandbox }) => {
  const [none, blank, long] = await Promise.all([
    sandbox.rawControl('GET', '/guides'),
    sandbox.rawControl('GET', '/guides?search=%20'),
    sandbox.rawControl('GET', `/guides?search=${encodeURIComponent(LONG)}`),
  ])

  expect([none, blank, long].map(({ status, answer }) => [status, answer.detail])).toEqual([
    [400, 'search in the query should be text, and is missing.'],
    [400, 'search in the query is " ". It should not be empty.'],
    [400, `search in the query is "${LONG.slice(0, 100)}". It should have at most 200 characters.`],
  ])
})

test('the control API returns as many sections as asked for, and how many there are', async ({ sandbox }) => {
  const { answer } = await sandbox.control('GET', '/guides?search=localhost+container&limit=1')

  expect(answer).toEqual({
    total: expect.any(Number),
    matches: [
      {
        page: 'webhooks#localhost-in-a-container',
        guide: [{ text: 'Webhooks', isMatch: false }],
        heading: [
          { text: 'localhost', isMatch: true },
          { text: ' in a ', isMatch: false },
          { text: 'container', isMatch: true },
        ],
        sentence: [
          { text: 'Inside a ', isMatch: false },
          { text: 'container', isMatch: true },
          { text: ', ', isMatch: false },
          { text: 'localhost', isMatch: true },
          { text: ' is the ', isMatch: false },
          { text: 'container', isMatch: true },
          { text: '.', isMatch: false },
        ],
      },
    ],
    isSimilar: false,
    nearestWords: [],
  })
  expect(answer.total).toBeGreaterThan(1)
})
