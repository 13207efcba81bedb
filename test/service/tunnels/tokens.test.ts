import { expect } from 'vitest'
import { startSandbox } from '../../../server/package/index.ts'
import { readStartOptions } from '../../../server/runtime/config/read-options.ts'
import { runSandbox } from '../../../server/runtime/sandbox.ts'
import { runCli, startCli } from '../../support/cli.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { openSandbox } from '../../support/sandbox.ts'
import { listenAt } from '../../support/listen-at.ts'
import { test } from '../../support/test.ts'

const guarded = {
  adminToken: 'admin-secret',
  tunnelTokens: { ada: 'ada-secret', grace: 'grace-secret' },
}

test.each<[who: string, token: string, path: string, status: number, says: string]>([
  ['the admin token', 'admin-secret', '/tunnels', 200, ''],
  ['the admin token', 'admin-secret', '/tunnels/ada', 200, ''],
  ["a team's token", 'ada-secret', '/tunnels/ada', 200, ''],
  ["a team's token", 'ada-secret', '/tunnels/ada-shop', 200, ''],
  ["a team's token", 'ada-secret', '/tunnels/ada-shop/requests', 200, ''],
  ["a team's token", 'ada-secret', '/tunnels/adam', 403, 'opens only the tunnels ada and ada-…, not adam'],
  ["a team's token", 'ada-secret', '/tunnels/grace', 403, 'opens only the tunnels ada and ada-…, not grace'],
  ["a team's token", 'ada-secret', '/tunnels', 403, 'opens only the tunnels ada and ada-….'],
  ["a team's token", 'ada-secret', '/accounts', 403, 'opens only the tunnels ada and ada-….'],
  ["a team's token", 'ada-secret', '/tunnels/ada%2f..%2faccounts', 403, 'only'],
  ['a wrong token', 'wrong', '/tunnels/ada', 401, 'opens no tunnel of this sandbox'],
  ['no token', '', '/tunnels/ada', 401, 'the token of the team that ada belongs to'],
])('a request with %s %s at %s is answered with %i', async (_who, token, path, status, says) => {
  await using sandbox = await openSandbox(guarded)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${sandbox.url}/_sandbox/v1${path}`, { headers })

  expect(answer.status).toBe(status)
  expect(await answer.text()).toContain(says)
})

test('tunnel tokens without an admin token are refused', async () => {
  await expect(runSandbox({ tunnelTokens: { ada: 'ada-secret' } })).rejects.toThrow(
    'tunnelTokens has no effect without an admin token',
  )
})

test.each<[what: string, options: Parameters<typeof startSandbox>[0] & object, says: string]>([
  [
    'an admin token',
    { adminToken: '1234567' },
    'adminToken is too short. It must have at least 8 characters.',
  ],
  [
    'a tunnel token',
    { adminToken: '12345678', tunnelTokens: { ada: '1234567' } },
    'tunnelTokens.ada is too short. It must have at least 8 characters.',
  ],
])('%s of seven characters is refused, and not printed', async (_what, options, says) => {
  await expect(startSandbox(options)).rejects.toThrow(says)
  const environment = {
    PAYLINK_ADMIN_TOKEN: options.adminToken,
    ...(options.tunnelTokens && { PAYLINK_TUNNEL_TOKEN: 'ada=1234567' }),
  }
  const read = readStartOptions({}, { env: environment })
  await expect(read).rejects.toThrow(/^(ada in )?PAYLINK_\w+_TOKEN is too short/)
  await expect(read).rejects.not.toThrow('1234567')
})

test("a token that would also open another team member's tunnels is refused", async () => {
  const tunnelTokens = { ada: 'secret-one', 'ada-lovelace': 'secret-two' }
  await expect(runSandbox({ adminToken: 'admin-secret', tunnelTokens })).rejects.toThrow(
    'tunnelTokens.ada would also open the tunnels of ada-lovelace.',
  )
})

test('listen: accepts its token by flag or environment, and never prints it', async ({ folder }) => {
  await using app = await startRawReceiver()
  await using sandbox = await openSandbox(guarded)
  const args = ['--forward-to', app.origin, '--sandbox', sandbox.url]
  const refused = await runCli(['listen', 'grace', ...args], {
    cwd: folder.path,
    env: { PAYLINK_TOKEN: 'ada-secret' },
  })
  await using listener = startCli(['listen', 'ada-shop', ...args, '--token', 'ada-secret'], {
    cwd: folder.path,
  })
  await listener.until(() => listener.errors.some((line) => line.startsWith('Listening as ')))
  await fetch(`${sandbox.url}/tunnel/ada-shop/x`, { method: 'POST' })
  await listener.until(() => listener.lines.length > 0)
  listener.interrupt('SIGTERM')

  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr: `Your app at ${app.origin}/ answers.\nThis token opens only the tunnels ada and ada-…, not grace. Listen on one of those, or pass another token with --token or PAYLINK_TOKEN.\n`,
  })
  expect(await listener.closed).toBe(0)
  expect(listener.lines).toEqual([expect.stringMatching(/^200 {2}POST \/x {2}\d+ ms$/)])
  expect([...listener.lines, ...listener.errors].join('\n')).not.toContain('ada-secret')
})

test('requests through a tunnel carry no cookies of the inspector', async () => {
  await using app = await startRawReceiver()
  await using sandbox = await openSandbox(guarded)
  await using _listener = await listenAt(
    sandbox.url,
    { tunnel: 'ada', forwardTo: app.origin },
    'admin-secret',
  )
  const opened = await fetch(`${sandbox.url}/?admin_token=admin-secret`, { redirect: 'manual' })
  const [cookie] = opened.headers.get('set-cookie')!.split(';')

  await fetch(`${sandbox.url}/tunnel/ada`, { headers: { cookie: cookie! } })
  await fetch(`${sandbox.url}/tunnel/ada`, { headers: { cookie: `a=1; ${cookie}; b="2"` } })
  const kept = await fetch(`${sandbox.url}/_sandbox/v1/tunnels/ada/requests`, {
    headers: { authorization: 'Bearer ada-secret' },
  })

  const posted = app.received.map(({ rawHeaders }) => rawHeaders.join(' '))
  expect(posted[0]).not.toMatch(/cookie/i)
  expect(posted[1]).toContain('cookie a=1; b="2"')
  expect(`${posted.join('')}${await kept.text()}`).not.toContain(cookie!.split('=')[1])
})

test("an answer through a tunnel cannot set or clear the inspector's cookie, and other cookies pass", async () => {
  const fields = [
    ['Set-Cookie', 'basket=7; Path=/'],
    ['Set-Cookie', 'paylink_admin=; Max-Age=0; Path=/'],
    ['set-cookie', ' paylink_admin\t=x'],
    ['Set-Cookie', '=paylink_admin=x'],
    ['Set-Cookie', 'paylink_admin2=x'],
    ['Clear-Site-Data', '"cookies"'],
    ['X-Mine', '1'],
  ]
  await using app = await startRawReceiver((response) => response.writeHead(200, fields.flat()).end('ok'))
  await using sandbox = await openSandbox(guarded)
  const kept = async () => {
    const { headers } = await fetch(`${sandbox.url}/tunnel/ada`, { headers: { accept: 'text/html' } })
    return [...headers].filter(([name]) => /cookie|clear|mine/.test(name))
  }
  const expected = [
    ['set-cookie', 'basket=7; Path=/'],
    ['set-cookie', 'paylink_admin2=x'],
    ['x-mine', '1'],
  ]

  await fetch(`${sandbox.url}/_sandbox/v1/tunnels/ada/answer`, {
    method: 'PUT',
    headers: { authorization: 'Bearer ada-secret', 'content-type': 'application/json' },
    body: JSON.stringify({ headers: fields }),
  })
  expect(await kept()).toEqual(expected)
  await using _listener = await listenAt(
    sandbox.url,
    { tunnel: 'ada', forwardTo: app.origin },
    'admin-secret',
  )
  expect(await kept()).toEqual(expected)
})

test('the cookie of the inspector contains no token, and a token is not accepted as cookie', async () => {
  await using sandbox = await openSandbox(guarded)
  const opened = await fetch(`${sandbox.url}/?admin_token=admin-secret`, { redirect: 'manual' })
  const value = opened.headers.get('set-cookie')!.split(/[=;]/)[1]!
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${sandbox.url}/_sandbox/v1/accounts`, { headers })).status

  expect(value).not.toContain('admin-secret')
  expect(await ask({ cookie: `paylink_admin=${value}` })).toBe(200)
  expect(await ask({ cookie: 'paylink_admin=admin-secret' })).toBe(401)
  expect(await ask({ authorization: `Bearer ${value}` })).toBe(401)
})
