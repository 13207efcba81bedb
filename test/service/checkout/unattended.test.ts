import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { courier, openSandbox, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const CALLBACK = 'http://shop.test/done'

/** The headers that a browser sends after a click on a page of another site. */
const navigationFrom = (referer: string | undefined): Record<string, string> => ({
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'cross-site',
  ...(referer === undefined ? {} : { referer }),
})

const open = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { redirect: 'manual', ...init })

async function journalOf(sandbox: OpenSandbox): Promise<string[]> {
  await sandbox.settled()
  const { answer } = await sandbox.control('GET', '/events?link=1001')
  return answer.events.map(({ type }) => type).filter((type) => type !== 'api.request')
}

test.each([
  ['card', { method: 'card', outcome: 'pay' }],
  ['bank', { method: 'bank-transfer', outcome: 'pay' }],
  ['cancel', { method: 'card', outcome: 'cancel' }],
  ['decline', { method: 'card', outcome: 'decline' }],
  ['close', { method: 'card', outcome: 'pay-and-close' }],
])('opening the pay link with outcome=%s acts like the button', async (outcome, button) => {
  await using opened = await openSandbox()
  await using clicked = await openSandbox()
  const toOpen = await opened.createLink({ callback_url: CALLBACK })
  const toClick = await clicked.createLink({ callback_url: CALLBACK })

  const one = await open(`${toOpen.pay_link}&outcome=${outcome}`)
  const other = await clicked.submit(toClick.pay_link, button)

  expect([one.status, one.headers.get('location')]).toEqual([other.status, other.headers.get('location')])
  expect(one.headers.get('sandbox-assumed')).toBe(other.headers.get('sandbox-assumed'))
  expect(await journalOf(opened)).toEqual(await journalOf(clicked))
})

test('an outcome in a pay link is refused if its button would be refused', async ({ sandbox }) => {
  const { envelope } = await sandbox.call<{ pay_link: string }>(
    'createLink',
    { amount: 5 },
    { token: courier.apiKey },
  )
  const { pay_link } = envelope.data
  const answerTo = async (outcome: string) => {
    const response = await open(`${pay_link}&outcome=${outcome}`)
    return [response.status, /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1]]
  }

  expect(await answerTo('bank')).toEqual([409, '€5.00'])
  expect(await answerTo('card')).toEqual([303, undefined])
  expect(await answerTo('card')).toEqual([409, 'This link has already been used'])
  expect(await answerTo('cancel')).toEqual([409, 'This link has already been used'])
  expect((await journalOf(sandbox)).filter((type) => type.startsWith('link.'))).toEqual([
    'link.created',
    'link.paid',
  ])
})

test.for([
  ['crad', 'Did you mean <code translate="no">card</code>?'],
  ['bank-transfer', 'Did you mean <code translate="no">bank</code>?'],
  ['cancelled', 'Did you mean <code translate="no">cancel</code>?'],
  ['', 'declines the card'],
  ['card&outcome=cancel', 'outcome=card, cancel'],
  ['<b>', '&lt;b&gt;'],
] as const)(
  'the unknown outcome %s has a page that lists the known ones',
  async ([outcome, says], { sandbox }) => {
    const link = await sandbox.createLink()

    const response = await open(`${link.pay_link}&outcome=${outcome}`)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(says)])
    expect(await journalOf(sandbox)).toEqual(['link.created', 'checkout.viewed'])
  },
)

test.for<[how: string, init: RequestInit, status: number]>([
  ['HEAD', { method: 'HEAD' }, 200],
  ['Sec-Purpose: prefetch', { headers: { 'sec-purpose': 'prefetch' } }, 403],
  ['Sec-Purpose: prefetch;prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }, 403],
  ['Purpose: prefetch', { headers: { purpose: 'prefetch' } }, 403],
  ['X-Moz: prefetch', { headers: { 'x-moz': 'prefetch' } }, 403],
  ['Sec-Fetch-Dest: image', { headers: { 'sec-fetch-dest': 'image' } }, 403],
  ['Sec-Fetch-Dest: iframe', { headers: { 'sec-fetch-dest': 'iframe' } }, 403],
  ['Sec-Fetch-Dest: empty', { headers: { 'sec-fetch-dest': 'empty' } }, 403],
  ['Accept: image/*', { headers: { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' } }, 403],
  ['a link on a page elsewhere', { headers: navigationFrom('https://evil.example/') }, 403],
  [
    'a link on a page like one of a private network',
    { headers: navigationFrom('http://10.evil.example/') },
    403,
  ],
  ['a link on a page that sends no Referer', { headers: navigationFrom(undefined) }, 403],
  ['Referer: https://evil.example/', { headers: { referer: 'https://evil.example/' } }, 403],
])('opening a pay link does not pay: %s', async ([_how, init, status], { sandbox }) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })

  const response = await open(`${link.pay_link}&outcome=card`, init)
  expect([response.status, response.headers.get('location')]).toEqual([status, null])
  expect(await journalOf(sandbox)).toEqual(['link.created', 'checkout.viewed'])
  expect((await open(`${link.pay_link}&outcome=card`)).status).toBe(302)
})

test.for<[who: string, headers: Record<string, string>]>([
  ['a link in a shop on this machine', navigationFrom('http://localhost:3000/')],
  ['a link in a shop in a private network', navigationFrom('http://192.168.1.5:3000/')],
  ['a link in a shop beside it in a container', { referer: 'http://shop:3000/' }],
  ['a link on a page of the same site', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-site' }],
  ['a typed address', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none', accept: 'text/html,*/*' }],
  ['a client in a test', { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/1' }],
  ['a client that borrows the name of a browser', { accept: '*/*', 'user-agent': 'Mozilla/5.0' }],
])('opening a pay link pays: %s', async ([_who, headers], { sandbox }) => {
  const link = await sandbox.createLink({ callback_url: CALLBACK })
  expect((await open(`${link.pay_link}&outcome=card`, { headers })).status).toBe(302)
})

const PAGE = {
  accept: 'text/html,application/xhtml+xml,image/avif,*/*;q=0.8',
  'upgrade-insecure-requests': '1',
}

test.for<[how: string, headers: Record<string, string>, status: number]>([
  ['a page', PAGE, 302],
  ['a page that a shop nearby links to', { ...PAGE, referer: 'http://192.168.1.5:3000/' }, 302],
  ['a page that a page elsewhere links to', { ...PAGE, referer: 'https://evil.example/' }, 403],
  ['an image', { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }, 403],
  ['a script', { accept: '*/*' }, 403],
  ['a script that imitates a page', { accept: 'text/html' }, 403],
])(
  'over plain http from another machine, a browser asks for confirmation of %s',
  async ([_how, headers, status], { sandbox }) => {
    const link = await sandbox.createLink({ callback_url: CALLBACK })
    const { pathname, search, port } = new URL(`${link.pay_link}&outcome=card`)
    const request = get({
      port,
      path: pathname + search,
      headers: { ...headers, host: `192.168.1.9:${port}`, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(status)
  },
)

test('a webhook sent to a pay link does not pay it', async ({ sandbox }) => {
  const victim = await sandbox.createLink()
  const { envelope } = await sandbox.call<{ id: number }>(
    'createLink',
    { amount: 1, payment_endpoint: `${victim.pay_link}&outcome=card` },
    { token: courier.apiKey },
  )

  const { answer } = await sandbox.control('POST', `/links/${envelope.data.id}/pay`)
  expect(answer).toMatchObject({ deliveries: [{ state: 'failed', attempts: [{ status: 400 }] }] })
  expect((await sandbox.control('GET', `/links/${victim.id}`)).answer.status).toBe('unused')
})
