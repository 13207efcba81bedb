import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guideGroups, guides, searchGuides } from '../../server/docs/guides/guides.ts'
import { LIGHT_AND_DARK, violationsIn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { openSandbox } from '../support/sandbox.ts'

test('guides: the index lists every guide once', () => {
  const files = readdirSync(new URL('../../server/docs/guides', import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace('.md', ''))
  expect(guides.map(({ name }) => name).toSorted()).toEqual(files.toSorted())
})

test('guides: each is served as a page and as Markdown, and its links work', async () => {
  await using sandbox = await openSandbox()
  const read = async (path: string) => {
    const response = await fetch(sandbox.url + path)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  }
  const index = await read('/docs/guides')
  const links = new Set<string>()
  for (const { name, title, text } of guides) {
    const path = `/docs/guides/${name}`
    expect(index.text).toContain(`<a href="${path}">${title.replace("'", '&#39;')}</a>`)
    expect(await read(`${path}.md`)).toEqual({ status: 200, type: 'text/markdown; charset=utf-8', text })
    const page = await read(path)
    expect(page).toMatchObject({ status: 200, type: 'text/html; charset=UTF-8' })
    for (const [, href = ''] of page.text.matchAll(/<a href="([^"]*)"/g)) {
      links.add(new URL(href, `${sandbox.url}${path}`).href)
    }
  }
  for (const link of links) {
    const { origin, pathname, hash } = new URL(link)
    if (origin !== sandbox.url) continue
    const page = await read(pathname)
    expect({ link, status: page.status }).toEqual({ link, status: 200 })
    if (hash) expect(page.text, link).toContain(`id="${hash.slice(1)}"`)
  }
})

test('guides: an unknown name returns 404', async () => {
  await using sandbox = await openSandbox()
  for (const path of ['/docs/guides/none', '/docs/guides/none.md', '/docs/guides/..%2Findex']) {
    expect((await fetch(sandbox.url + path)).status).toBe(404)
  }
})

test('guides: search finds titles and headings that contain every word', async () => {
  await using sandbox = await openSandbox()
  const page = await openPage()
  await page.goto(`${sandbox.url}/docs/guides`)
  await page.getByRole('searchbox').fill('held WEBHOOKS')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Held webhooks' }).click()
  await page.getByRole('heading', { name: 'Held webhooks' }).waitFor()
  expect(page.url()).toBe(`${sandbox.url}/docs/guides/webhooks#held-webhooks`)

  await page.goto(`${sandbox.url}/docs/guides?q=%3Cb%3Enothing`)
  await page.getByText('No guide matches “<b>nothing”.').waitFor()
  expect(page.problems).toEqual([])
  expect(searchGuides('')).toHaveLength(guides.length)
})

test('llms.txt lists the text of every guide and both API documents', async () => {
  await using sandbox = await openSandbox()
  const text = await (await fetch(`${sandbox.url}/llms.txt`)).text()
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href!)
  expect(links).toHaveLength(guides.length + 2)
  for (const link of links) expect({ link, ok: (await fetch(link)).ok }).toEqual({ link, ok: true })
  expect(text).toContain(`## ${guideGroups[0]!.title}`)
})

test.each([1280, 390])('guides: pages are accessible in light and dark, %i pixels wide', async (width) => {
  await using sandbox = await openSandbox()
  const page = await openPage({ viewport: { width, height: 800 }, bypassCSP: true })
  for (const path of ['/docs/guides', '/docs/guides/webhooks', '/docs/guides/testing-in-node']) {
    await page.goto(sandbox.url + path)
    expect(await violationsIn(LIGHT_AND_DARK, page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  expect(page.problems).toEqual([])
})
