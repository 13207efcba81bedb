import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { isSameSecret } from '../../server/platform/http/access.ts'
import { openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** Sends headers that `fetch` does not allow. */
async function ask(sandbox: OpenSandbox, path: string, headers: Record<string, string>): Promise<number> {
  const asked = request(sandbox.url + path, { headers }).end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}

const GUARDED = [
  '/',
  '/docs/control',
  '/_sandbox/openapi.json',
  '/_sandbox/metrics',
  '/_sandbox/v1/info',
  '/_sandbox/v1/events',
  '/_sandbox/v1/report',
]

test.each(GUARDED)('the route %s accepts only the host names of the sandbox', async (path) => {
  await using sandbox = await openSandbox({ publicUrl: 'https://pay.example' })
  const { port } = new URL(sandbox.url)

  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `shop.localhost:${port}`,
    `[::1]:${port}`,
    'pay.example',
  ]) {
    expect([host, await ask(sandbox, path, { host })]).toEqual([host, 200])
  }
  for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example']) {
    expect([host, await ask(sandbox, path, { host })]).toEqual([host, 403])
  }
})

test.for(GUARDED)('the route %s refuses pages of another origin', async (path, { sandbox }) => {
  expect(await ask(sandbox, path, { origin: sandbox.url })).toBe(200)
  for (const origin of [
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    sandbox.url.replace('http', 'https'),
    'file://',
    sandbox.url + '.evil.example',
  ]) {
    expect([origin, await ask(sandbox, path, { origin })]).toEqual([origin, 403])
  }
})

test.each(GUARDED)('the route %s refuses pages of the public name with another scheme', async (path) => {
  await using sandbox = await openSandbox({ publicUrl: 'https://pay.example' })
  const host = 'pay.example'

  expect(await ask(sandbox, path, { host, origin: 'https://pay.example' })).toBe(200)
  expect(await ask(sandbox, path, { host, origin: 'http://pay.example' })).toBe(403)
})

/** Tries to open a WebSocket. Returns `open`, or the HTTP status of the refusal. */
async function openStream(
  sandbox: OpenSandbox,
  headers: Record<string, string>,
  path = '/stream',
): Promise<'open' | number> {
  const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/_sandbox/v1${path}`, { headers })
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open' as const),
    once(socket, 'unexpected-response').then(([, response]) => Number(response.statusCode)),
  ])
  socket.terminate()
  return outcome
}

test('the stream refuses pages of another origin or host name', async ({ sandbox }) => {
  expect(await openStream(sandbox, { origin: sandbox.url })).toBe('open')
  expect(await openStream(sandbox, { origin: 'http://evil.example' })).toBe(403)
  expect(await openStream(sandbox, { host: 'evil.example' })).toBe(403)
})

test('the connection of a listener refuses pages of another origin or host name', async ({ sandbox }) => {
  const path = '/tunnels/shop/listen?listener=me&to=http://localhost:3000'

  expect(await openStream(sandbox, {}, path)).toBe('open')
  expect(await openStream(sandbox, { origin: 'http://evil.example' }, path)).toBe(403)
  expect(await openStream(sandbox, { host: 'evil.example' }, path)).toBe(403)
})

test('listening beyond this machine requires an admin token', async () => {
  await expect(openSandbox({ host: '0.0.0.0' })).rejects.toThrow(
    'Listening on 0.0.0.0 lets other machines reach the sandbox.',
  )
  await expect(openSandbox({ host: '0.0.0.0', adminToken: '' })).rejects.toThrow('adminToken is empty.')
})

test('secrets of any length are compared in constant time', () => {
  expect(
    ['open sesame', 'open says me', 'open', ''].map((given) => isSameSecret(given, 'open sesame')),
  ).toEqual([true, false, false, false])
  // Comparing digests makes the texts equally long. A test that measures time would be flaky, so this one reads the function.
  expect(isSameSecret.toString()).toMatch(/timingSafeEqual\)?\(digest\(\w+\), digest\(\w+\)\)/)
})

test('a form or a script on a page of another origin cannot call the control API', async ({ sandbox }) => {
  const reset = async (headers: Record<string, string>) => {
    const asked = request(`${sandbox.url}/_sandbox/v1/reset`, { method: 'POST', headers }).end(
      '{"to":"empty"}',
    )
    const [response] = await once(asked, 'response')
    response.resume()
    return response.statusCode
  }

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    expect(await reset({ 'content-type': type, origin: 'null' })).toBe(403)
    // A request without an Origin header does not come from a browser, but its body is not JSON either.
    expect(await reset({ 'content-type': type })).toBe(415)
  }
  const { answer } = await sandbox.control('GET', '/accounts')
  expect(answer.accounts).not.toEqual([])
})

test('pages of another origin can read no answer', async ({ sandbox }) => {
  for (const path of ['/_sandbox/v1/info', '/api/v2/createLink', '/openapi.json', '/payment?link_id=x']) {
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' }
      const { headers: answered } = await fetch(sandbox.url + path, { method, headers })
      expect([...answered.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  }
})

test('the document of the API shows the API key only to clients with access', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })
  const document = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(sandbox.url + path, { headers })).text()

  for (const path of ['/openapi.json', '/docs']) {
    expect(await document(path)).not.toContain(shop.apiKey)
    expect(await document(path, { authorization: 'Bearer open sesame' })).toContain(shop.apiKey)
  }
})

test('an admin token is required once it is set', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })

  for (const path of GUARDED) {
    expect(await ask(sandbox, path, {})).toBe(401)
    expect(await ask(sandbox, path, { authorization: 'Bearer open says me' })).toBe(401)
    expect(await ask(sandbox, path, { authorization: 'Bearer open sesame' })).toBe(200)
  }
  expect(await openStream(sandbox, {})).toBe(401)
  expect(await openStream(sandbox, { authorization: 'Bearer open sesame' })).toBe('open')
})

test('a browser shows the admin token once and keeps it in a cookie', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })

  const wrong = await fetch(`${sandbox.url}/?admin_token=x`, { redirect: 'manual' })
  const right = await fetch(`${sandbox.url}/?admin_token=open%20sesame`, { redirect: 'manual' })
  const cookie = right.headers.get('set-cookie')!

  expect([wrong.status, right.status, right.headers.get('location')]).toEqual([401, 302, '/'])
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Strict/)
  expect(await ask(sandbox, '/_sandbox/v1/info', { cookie: cookie.split(';')[0]! })).toBe(200)
})

test('the emulated API and the checkout are public', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })
  expect(await ask(sandbox, '/_sandbox/health', { host: 'shop.example' })).toBe(200)
  expect(
    await ask(sandbox, '/payment?link_id=x', { host: 'shop.example', origin: 'http://shop.example' }),
  ).toBe(404)
  expect(await ask(sandbox, '/api/v2/createLink', { host: 'shop.example' })).toBe(200)
})

/** Policies that send no part of the URL to another site. */
const REFERRER_POLICY = /^(no-referrer|same-origin)$/

test('the Content-Security-Policy of each page allows only what this page uses', async ({ sandbox }) => {
  const { pay_link } = await sandbox.createLink()
  const { href, pathname, search } = new URL(pay_link)
  const pages = [
    '/',
    '/docs',
    '/docs/control',
    pathname + search,
    `/payment/success${search}`,
    '/payment?link_id=nothing',
    `${pathname}${search}&outcome=nothing`,
  ]

  for (const path of pages) {
    const { headers } = await fetch(new URL(path, href))
    const csp = headers.get('content-security-policy') ?? ''
    expect([path, headers.get('content-type')]).toEqual([path, expect.stringContaining('text/html')])
    expect([path, csp]).toEqual([path, expect.stringMatching(/default-src '(none|self)'/)])
    expect([path, csp]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")])
    expect([path, csp]).toEqual([path, expect.stringContaining("base-uri 'none'")])
    expect([path, csp]).toEqual([path, expect.not.stringMatching(/unsafe|\*/)])
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    expect([path, headers.get('referrer-policy')]).toEqual([path, expect.stringMatching(REFERRER_POLICY)])
  }
})

test('every answer forbids content sniffing', async ({ sandbox }) => {
  const { pay_link, qr_img } = await sandbox.createLink()
  const paths = ['/api/v2/createLink', '/tunnel/x', '/openapi.json', '/docs/style.css', '/_sandbox/v1/info']
  for (const path of [...paths, '/_sandbox/v1/report', '/payment/waiting.js', '/nowhere', pay_link, qr_img]) {
    const { headers } = await fetch(new URL(path, sandbox.url), { headers: { accept: 'text/html' } })
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
  }
})

test('a report allows its own script and style only', async ({ sandbox }) => {
  const page = await (await fetch(`${sandbox.url}/_sandbox/v1/report`)).text()
  const [, policy = ''] = /<meta http-equiv="content-security-policy" content="([^"]*)"/.exec(page) ?? []

  expect(policy.replaceAll(/'sha256-[^']+'/g, 'its own')).toBe(
    "default-src 'none'; script-src its own; style-src its own; img-src data:; base-uri 'none'; form-action 'none'",
  )
  // The policy applies only to the part of the page after it.
  expect(page.indexOf('<meta http-equiv')).toBeLessThan(page.search(/<(script|style|link)/))
})

test('the inspector allows no resources of other origins', async ({ sandbox }) => {
  const { headers } = await fetch(`${sandbox.url}/`)
  const csp = headers.get('content-security-policy')!

  expect(csp).toContain("default-src 'self'")
  expect(csp).toContain("frame-ancestors 'none'")
  expect(csp).not.toContain('unsafe')
})

test('a browser keeps the files of the inspector, but asks for the page each time', async ({ sandbox }) => {
  const page = await fetch(`${sandbox.url}/`)
  const [asset] = /assets\/[^"]+/.exec(await page.text())!
  const cached = await Promise.all(
    ['', asset, 'assets/nothing.js'].map(async (path) => {
      const { headers } = await fetch(`${sandbox.url}/${path}`)
      return headers.get('cache-control')
    }),
  )
  expect(cached).toEqual(['no-cache', 'private, max-age=31536000, immutable', 'no-cache'])
})

test.for([
  '/../package.json',
  '/..%2f..%2fpackage.json',
  '/assets/../../server/cli.js',
  '/%2e%2e/server/cli.js',
])('no file outside the inspector is served at %s', async (path, { sandbox }) => {
  expect(await ask(sandbox, path, {})).toBe(404)
})
