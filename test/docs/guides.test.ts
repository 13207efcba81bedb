import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { guideGroups, guides, searchGuides } from '../../server/docs/guides/guides.ts'
import { LIGHT_AND_DARK, violationsIn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { test } from '../support/test.ts'

test('guides: the index lists every guide once', () => {
  const files = readdirSync(new URL('../../server/docs/guides', import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace('.md', ''))
  expect(guides.map(({ name }) => name).toSorted()).toEqual(files.toSorted())
})

test('guides: each is served as a page and as Markdown, and its links work', async ({ sandbox }) => {
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
    const served = text.replaceAll('http://127.0.0.1:4400', sandbox.url)
    expect(await read(`${path}.md`)).toEqual({
      status: 200,
      type: 'text/markdown; charset=utf-8',
      text: served,
    })
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

test('guides: an unknown name returns 404', async ({ sandbox }) => {
  for (const path of ['/docs/guides/none', '/docs/guides/none.md', '/docs/guides/..%2Findex']) {
    expect((await fetch(sandbox.url + path)).status).toBe(404)
  }
})

test('guides: search finds titles and headings that contain every word', async ({ sandbox, page }) => {
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

test('llms.txt lists the text of every guide and both API documents', async ({ sandbox }) => {
  const text = await (await fetch(`${sandbox.url}/llms.txt`)).text()
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href!)
  expect(links).toHaveLength(guides.length + 2)
  for (const link of links) expect({ link, ok: (await fetch(link)).ok }).toEqual({ link, ok: true })
  expect(text).toContain(`## ${guideGroups[0]!.title}`)
})

test.for([1280, 390])(
  'guides: pages are accessible in light and dark, %i pixels wide',
  async (width, { sandbox }) => {
    const page = await openPage({ viewport: { width, height: 800 }, bypassCSP: true })
    for (const path of ['/docs/guides', '/docs/guides/webhooks', '/docs/guides/testing-in-node']) {
      await page.goto(sandbox.url + path)
      expect(await violationsIn(LIGHT_AND_DARK, page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    expect(page.problems).toEqual([])
  },
)

test('every link from the inspector to a guide leads to its heading', async ({ sandbox, page }) => {
  const found = new Set<string>()
  for (const screen of ['timeline', 'faults', 'maps', 'account']) {
    await page.goto(`${sandbox.url}/#/${screen}`)
    await page.getByText('Live', { exact: true }).waitFor()
    if (screen !== 'timeline')
      await page
        .getByRole('link', { name: /^Guide: / })
        .first()
        .waitFor()
    const links = page.locator('a[href*="/docs/guides"]')
    for (const href of await links.evaluateAll((all) =>
      all.map((link) => (link as HTMLAnchorElement).href),
    )) {
      found.add(href)
    }
  }
  expect(found.size).toBeGreaterThanOrEqual(7)
  for (const href of found) {
    const response = await fetch(href)
    expect({ href, status: response.status }).toEqual({ href, status: 200 })
    const id = new URL(href).hash.slice(1)
    if (id !== '') expect(await response.text(), href).toContain(`id="${id}"`)
  }
})
