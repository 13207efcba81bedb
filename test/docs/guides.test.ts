import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { guideGroups, guides } from '../../server/docs/guides/guides.ts'
import { test } from '../support/test.ts'

test('guides: the index lists every guide once', () => {
  const files = readdirSync(new URL('../../server/docs/guides', import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace('.md', ''))
  expect(guides.map(({ name }) => name).toSorted()).toEqual(files.toSorted())
})

test.for(guides.filter(({ name }) => name !== 'troubleshooting'))(
  'the guide $name shows an example on its first screen, and ends with what to do if the example does not work',
  ({ text }) => {
    const beginning = text.split('\n').slice(0, 20).join('\n')
    expect(beginning).toContain('```')
    expect(text.match(/^## .*/gm)?.at(-1)).toBe('## If it does not work')
  },
)

test('each guide is served as a page and as Markdown, and its links work', async ({ sandbox }) => {
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
    expect(served).not.toContain('<!--')
    expect(served).not.toMatch(/^(<{7}|>{7}) /m)
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
  // Programs read the text of guides, so an unknown name is answered with text.
  const text = await fetch(`${sandbox.url}/docs/guides/URL_2.md`)
  expect([text.status, text.headers.get('content-type')]).toEqual([404, 'text/plain; charset=UTF-8'])
  // The page offers a search for the unknown name.
  const page = await fetch(`${sandbox.url}/docs/guides/url-map`)
  expect(page.status).toBe(404)
  expect(await page.text()).toMatch(/sections? match(es)? “url map”/)
})

test('llms.txt lists the text of every guide and both API documents', async ({ sandbox }) => {
  const text = await (await fetch(`${sandbox.url}/llms.txt`)).text()
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href!)
  expect(links).toHaveLength(guides.length + 2)
  for (const link of links) expect({ link, ok: (await fetch(link)).ok }).toEqual({ link, ok: true })
  expect(text).toContain(`## ${guideGroups[0]!.title}`)
})
