import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'

/** Sends headers that `fetch` does not let anyone set. */
async function ask(sandbox: OpenSandbox, path: string, headers: Record<string, string>): Promise<number> {
  const asked = request(sandbox.url + path, { headers }).end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}

const GUARDED = ['/', '/_sandbox/v1/info', '/_sandbox/v1/events', '/_sandbox/v1/report']

test.each(GUARDED)('%s is for the names of the sandbox only', async (path) => {
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

test.each(GUARDED)('%s is not for pages of another origin', async (path) => {
  await using sandbox = await openSandbox()

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

/** What comes of an attempt to open the stream: `open`, or the status it is turned away with. */
async function openStream(sandbox: OpenSandbox, headers: Record<string, string>): Promise<'open' | number> {
  const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/_sandbox/v1/stream`, { headers })
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open' as const),
    once(socket, 'unexpected-response').then(([, response]) => Number(response.statusCode)),
  ])
  socket.terminate()
  return outcome
}

test('the stream is not for pages of another origin or name', async () => {
  await using sandbox = await openSandbox()

  expect(await openStream(sandbox, { origin: sandbox.url })).toBe('open')
  expect(await openStream(sandbox, { origin: 'http://evil.example' })).toBe(403)
  expect(await openStream(sandbox, { host: 'evil.example' })).toBe(403)
})

test('with an admin token, nobody comes in without it', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })

  for (const path of GUARDED) {
    expect(await ask(sandbox, path, {})).toBe(401)
    expect(await ask(sandbox, path, { authorization: 'Bearer open says me' })).toBe(401)
    expect(await ask(sandbox, path, { authorization: 'Bearer open sesame' })).toBe(200)
  }
  expect(await openStream(sandbox, {})).toBe(401)
  expect(await openStream(sandbox, { authorization: 'Bearer open sesame' })).toBe('open')
})

test('a browser shows the admin token once and keeps it as a cookie', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })

  const wrong = await fetch(`${sandbox.url}/?admin_token=x`, { redirect: 'manual' })
  const right = await fetch(`${sandbox.url}/?admin_token=open%20sesame`, { redirect: 'manual' })
  const cookie = right.headers.get('set-cookie')!

  expect([wrong.status, right.status, right.headers.get('location')]).toEqual([401, 302, '/'])
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Strict/)
  expect(await ask(sandbox, '/_sandbox/v1/info', { cookie: cookie.split(';')[0]! })).toBe(200)
})

test('the emulated service and the checkout are for everybody', async () => {
  await using sandbox = await openSandbox({ adminToken: 'open sesame' })
  expect(await ask(sandbox, '/_sandbox/health', { host: 'shop.example' })).toBe(200)
  expect(
    await ask(sandbox, '/payment?link_id=x', { host: 'shop.example', origin: 'http://shop.example' }),
  ).toBe(404)
  expect(await ask(sandbox, '/api/v2/createLink', { host: 'shop.example' })).toBe(200)
})

test('the inspector allows nothing from elsewhere', async () => {
  await using sandbox = await openSandbox()
  const { headers } = await fetch(`${sandbox.url}/`)
  const csp = headers.get('content-security-policy')!

  expect(csp).toContain("default-src 'self'")
  expect(csp).toContain("frame-ancestors 'none'")
  expect(csp).not.toContain('unsafe')
})

test.each([
  '/../package.json',
  '/..%2f..%2fpackage.json',
  '/assets/../../server/cli.js',
  '/%2e%2e/server/cli.js',
])('no file outside the inspector is served at %s', async (path) => {
  await using sandbox = await openSandbox()
  expect(await ask(sandbox, path, {})).toBe(404)
})
