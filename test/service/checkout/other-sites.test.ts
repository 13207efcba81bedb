import { expect } from 'vitest'
import { omitUndefined } from '../../../server/domain/text/omit-undefined.ts'
import { sendRaw } from '../../support/send-raw.ts'
import { test } from '../../support/test.ts'

const FORM = 'method=card&outcome=pay'

const formPost = (path: string, headers: Record<string, string>): string =>
  [
    `POST ${path} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${FORM.length}`,
    '',
    FORM,
  ].join('\r\n')

test.for(['', 'http://evil.example/'])(
  'a form sent by a page of another site is refused (%j)',
  async (referer, { sandbox }) => {
    const { id, pay_link } = await sandbox.createLink()
    const send = (headers: Record<string, string>) =>
      fetch(pay_link, {
        method: 'POST',
        body: new URLSearchParams({ method: 'card', outcome: 'pay' }),
        headers,
        redirect: 'manual',
      })
    const statusOf = async () => (await sandbox.control('GET', `/links/${id}`)).answer.status

    const stranger = await send({ 'sec-fetch-site': 'cross-site', ...(referer === '' ? {} : { referer }) })
    expect([stranger.status, await stranger.text()]).toEqual([
      403,
      expect.stringContaining('a form only if a page of the sandbox sends it'),
    ])
    expect(await statusOf()).toBe('unused')

    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    expect(await statusOf()).toBe('paid')
  },
)

test.for([
  ['http://evil.example', 403],
  ['null', 403],
  ['http://192.168.1.7:3000', 303],
  [undefined, 303],
] as const)(
  'over plain http, where browsers send no Sec-Fetch headers, the Origin of a form decides (%j)',
  async ([origin, status], { sandbox }) => {
    const { pay_link } = await sandbox.createLink()
    const { pathname, search } = new URL(pay_link)
    const answer = await sendRaw(
      sandbox.url,
      formPost(`${pathname}${search}`, { host: '192.168.1.2:4400', ...omitUndefined({ origin }) }),
    )

    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  },
)

test('the forms of the checkout pages send their origin, whatever page led to them', async ({ sandbox }) => {
  const { pay_link } = await sandbox.createLink()
  expect((await fetch(pay_link)).headers.get('referrer-policy')).toBe('same-origin')
})
