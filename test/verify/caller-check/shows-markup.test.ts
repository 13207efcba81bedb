import { expect, test } from 'vitest'
import { escapeHtml } from '../../../fixtures/laboratory/shop.ts'
import { MARKUP, showsMarkup } from '../../../server/verify/caller-check/pages/shows-markup.ts'

const withoutTags = MARKUP.replace(/[<>]/g, '')

const asJson = JSON.stringify(MARKUP).replaceAll('<', '\\u003c')

const asHtml = escapeHtml(MARKUP)

const shows = (text: string): boolean =>
  showsMarkup({
    error: null,
    text,
    headerLines: 'content-type: text/html',
    status: 200,
    location: null,
    cookies: [],
    url: 'http://shop.example/',
    redirectedBy: null,
    isPosted: false,
    payLinks: [],
  })

test.for<[title: string, page: string]>([
  ['single quotes', `<script>track('${withoutTags}')</script>`],
  ['double quotes', `<script type="module">track("${withoutTags}")</script>`],
  [
    'double quotes, without the double quotes',
    `<script>track('${withoutTags.replaceAll('"', '')}')</script>`,
  ],
  ['a handler whose page is escaped for HTML only', `<b onclick="track('${asHtml}')">Help</b>`],
  ['no quotes', `<script>track(${withoutTags.replace(/['"]/g, '')})</script>`],
  ['a later script', `<script>const a = 1</script><script>b = '${withoutTags}'</script>`],
])('text of a stranger runs in a script with %s', ([, page]) => {
  expect(shows(page)).toBe(true)
})

test.for<[title: string, page: string]>([
  ['JSON', `<script>const note = ${asJson}</script>`],
  ['JSON in JSON.parse', `<script>JSON.parse('${asJson.replace(/['\\]/g, '\\$&')}')</script>`],
  ['escaped quotes', `<script>track('${withoutTags.replaceAll("'", "\\'")}')</script>`],
  ['quotes as references', `<script>track('${withoutTags.replaceAll("'", '&#39;')}')</script>`],
  ['data', `<script type="application/json">${withoutTags}</script>`],
  [
    'a handler that is escaped for both',
    `<b onclick="track(${escapeHtml(JSON.stringify(MARKUP))})">Help</b>`,
  ],
  [
    'a handler and escaped quotes',
    `<b onclick="track('${escapeHtml(MARKUP.replaceAll("'", '\\u0027'))}')">Help</b>`,
  ],
  ['a regular expression before it', `<script>if (a) /'/.test(b); track(${asJson})</script>`],
  ['a module', `<script type=module>import a from './a.js'; a(/'/, ${asJson})</script>`],
])('text of a stranger is only text in a script with %s', ([, page]) => {
  expect(shows(page)).toBe(false)
})
