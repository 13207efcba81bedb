import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { runCli, startCli } from '../support/cli.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test.for<[args: string[], says: RegExp]>([
  [['listen'], /^listen requires <tunnel>\. Write npx paylink-sandbox listen <tunnel> \[flags\]\.$/],
  [
    ['listen', 'shop'],
    /^listen requires --forward-to, the address of your app, like http:\/\/localhost:3000\/hooks\.$/,
  ],
  [
    ['listen', 'Shop', '--forward-to', '3000'],
    /^The tunnel is Shop\. Its name must be up to 63 lower-case letters/,
  ],
  [
    ['listen', '', '--forward-to', '3000'],
    /^listen requires <tunnel>\. Write npx paylink-sandbox listen <tunnel> \[flags\]\.$/,
  ],
  [['listen', 'shop', '--forward-to', 'app'], /^--forward-to is app\. It must be an address/],
  [
    ['listen', 'shop', '--forward-to', '3000', '--since', 'x'],
    /^--since is x\. It must be the seq of an event, a whole number from 0, or all\.$/,
  ],
  [
    ['listen', 'shop', '--forward-to', '3000', '--name', 'a b'],
    /^--name is a b\. It must be up to 100 letters/,
  ],
])('listen: rejects %j and says what to do', async ([args, says], { folder }) => {
  const { code, stdout, stderr } = await runCli(args, { cwd: folder.path })

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr.trim()).toMatch(says)
})

test('listen: checks whether the app listens, and reports when it does', async ({ folder, sandbox }) => {
  const port = await freePort()
  await using listener = startCli(
    ['listen', 'shop', '--forward-to', `${port}/hooks`, '--sandbox', sandbox.url],
    {
      cwd: folder.path,
    },
  )
  const to = `http://localhost:${port}/hooks`
  await listener.until(() => listener.errors.length === 2)
  await using _app = await startRawReceiver(undefined, port)
  await listener.until(() => listener.errors.length === 3)

  expect(listener.errors).toEqual([
    `Your app at ${to} is down: nothing listens on localhost:${port}. Start it, or pass another address with --forward-to.`,
    expect.stringMatching(/^Listening as .+: .+\/tunnel\/shop are posted to .+\. Press Ctrl-C to stop\.$/),
    `Your app at ${to} answers.`,
  ])
})

test('listen --account: sends the webhooks of the account to the app', async ({ folder, receiver }) => {
  const publicUrl = 'https://pay.example'
  await using sandbox = await openSandbox({ adminToken: 'the-secret', publicUrl })
  const env = { PAYLINK_URL: sandbox.url, PAYLINK_ADMIN_TOKEN: 'the-secret' }
  const args = ['listen', 'ada', '--forward-to', receiver.url, '--account', 'Market Hall']
  await using listener = startCli([...args, '--sandbox', sandbox.url, '--token', 'the-secret'], {
    cwd: folder.path,
  })
  await listener.until(() => listener.errors.some((line) => line.startsWith('Listening as ')))

  const paid = await runCli(['pay', '--amount', '5', '--account', 'Market Hall'], { cwd: folder.path, env })
  expect(listener.errors[0]).toBe(`The payment endpoint of Market Hall is ${publicUrl}/tunnel/ada now.`)
  expect(paid.stdout).toContain(`Webhook 1  ✓ 200  to ${publicUrl}/tunnel/ada\n`)
  expect(receiver.received).toMatchObject([{ pairs: { 'data[amount]': '5' } }])
})

test('listen --account: lists the accounts if the name is unknown, and needs the admin token', async ({
  folder,
}) => {
  await using sandbox = await openSandbox({ adminToken: 'the-secret', tunnelTokens: { ada: 'adas-secret' } })
  const cli = (account: string, ...token: string[]) =>
    runCli(
      ['listen', 'ada', '--forward-to', '3000', '--sandbox', sandbox.url, '--account', account, ...token],
      { cwd: folder.path },
    )

  expect(await cli('Market hall', '--token', 'the-secret')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'There is no account "Market hall". Did you mean Market Hall? Available: "Flower Shop", "Bike Courier", "Market Hall", "Production Flower Shop".\n',
  })
  expect(await cli('Market Hall')).toEqual({
    code: 2,
    stdout: '',
    stderr: `The sandbox at ${sandbox.url} requires its admin token to change an account. Pass it with --token, or set PAYLINK_ADMIN_TOKEN.\n`,
  })
  expect(await cli('Market Hall', '--token', 'adas-secret')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'This token opens only the tunnels ada and ada-…. Pass the admin token instead.\n',
  })
})

test('listen --account: sets the payment endpoint again if the sandbox has forgotten it', async ({
  folder,
}) => {
  const first = await openSandbox()
  const port = Number(new URL(first.url).port)
  const args = ['listen', 'ada', '--forward-to', '3000', '--sandbox', first.url, '--account', 'Market Hall']
  await using listener = startCli(args, { cwd: folder.path })
  await listener.until(() => listener.errors.some((line) => line.startsWith('Listening as ')))
  await first.close()
  await using second = await openSandbox({ port })
  const text = `The payment endpoint of Market Hall is ${first.url}/tunnel/ada now.`
  await listener.until(() => listener.errors.filter((line) => line === text).length === 2)

  const { answer } = await second.control('GET', '/accounts')
  expect(answer.accounts.find(({ name }) => name === 'Market Hall')!.paymentEndpoint).toBe(
    `${first.url}/tunnel/ada`,
  )
})

test('listen: waits for a sandbox that does not run yet, unless --exit-on-disconnect is set', async ({
  folder,
}) => {
  const port = await freePort()
  const args = [
    'listen',
    'shop',
    '--forward-to',
    String(await freePort()),
    '--sandbox',
    `http://127.0.0.1:${port}`,
  ]
  const given = await runCli([...args, '--exit-on-disconnect'], { cwd: folder.path })
  await using listener = startCli(args, { cwd: folder.path })
  await listener.until(() => listener.errors.some((line) => line.startsWith('No sandbox answers at ')))
  await using _sandbox = await openSandbox({ port })
  await listener.until(() => listener.errors.some((line) => line.startsWith('Listening as ')))

  expect(given.code).toBe(2)
  expect(given.stderr).toMatch(
    /No sandbox answers at http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED .+\. Start one there, or pass another address with --sandbox\./,
  )
  expect(given.stderr).not.toContain('Trying again')
})

test('listen: does not claim waiting requests if it never reached a sandbox', async ({ folder }) => {
  const url = `http://127.0.0.1:${await freePort()}`
  await using listener = startCli(
    ['listen', 'shop', '--forward-to', '3000', '--sandbox', url, '--name', 'me'],
    {
      cwd: folder.path,
    },
  )
  await listener.until(() => listener.errors.some((line) => line.startsWith('No sandbox answers at ')))
  listener.interrupt('SIGINT')

  await listener.closed
  expect(listener.errors.at(-1)).toBe(`Stopped. No sandbox answered at ${url}, so no requests wait for me.`)
})

test('listen: warns that --since is beyond the journal', async ({ folder, sandbox }) => {
  const args = ['listen', 'shop', '--forward-to', '3000', '--sandbox', sandbox.url, '--since', '99999']
  await using listener = startCli(args, { cwd: folder.path })
  await listener.until(() => listener.errors.some((line) => line.startsWith('--since')))

  expect(listener.errors.at(-1)).toMatch(
    /^--since 99999 is after the newest event, which is \d+\. Only new requests are posted\.$/,
  )
})

test('listen: says which token a protected sandbox needs', async ({ folder }) => {
  await using sandbox = await openSandbox({ adminToken: 'the-secret', tunnelTokens: { ada: 'adas-secret' } })
  const cli = (...more: string[]) =>
    runCli(['listen', 'shop', '--forward-to', '3000', '--sandbox', sandbox.url, ...more], {
      cwd: folder.path,
    })

  const none = await cli()
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^This sandbox requires a token for tunnel shop\. .+ Pass the token with --token or PAYLINK_TOKEN\.$/m,
    ),
  ])
  expect((await cli('--token', 'adas-secret')).stderr).toMatch(
    /^This token opens only the tunnels ada and ada-…, not shop\. Listen on one of those/m,
  )
})

test('listen --exit-on-disconnect: ends when the sandbox is gone', async ({ folder }) => {
  const sandbox = await openSandbox()
  await using listener = startCli(
    ['listen', 'shop', '--forward-to', '3000', '--sandbox', sandbox.url, '--exit-on-disconnect'],
    { cwd: folder.path },
  )
  await listener.until(() => listener.errors.some((line) => line.startsWith('Listening as ')))
  await sandbox.close()

  expect(await listener.closed).toBe(1)
  expect(listener.errors.at(-1)).toMatch(
    /^The connection to .+ is lost: .+ New requests wait there, but only until that sandbox stops, because its database is in memory\.$/,
  )
})

test('listen: rejects a server that is not a sandbox', async ({ folder }) => {
  await using other = await startRawReceiver((response) => response.writeHead(404).end())
  const { code, stderr } = await runCli(
    ['listen', 'shop', '--forward-to', other.origin, '--sandbox', other.origin],
    {
      cwd: folder.path,
    },
  )

  expect(code).toBe(2)
  expect(stderr).toContain(
    `The server at ${other.origin} accepts no listeners (HTTP 404): it is not a sandbox`,
  )
})

test('listen: does not forward a tunnel to itself', async ({ folder, sandbox }) => {
  const to = `${sandbox.url}/tunnel/shop/again`
  const { code, stderr } = await runCli(['listen', 'shop', '--forward-to', to, '--sandbox', sandbox.url], {
    cwd: folder.path,
  })

  expect(code).toBe(2)
  expect(stderr).toMatch(/^Tunnel shop would be forwarded to itself\. Pass --forward-to the address/)
})

test('listen: ends with a message if its name is taken or forgotten', async ({ folder, sandbox }) => {
  const args = ['listen', 'shop', '--forward-to', '3000', '--sandbox', sandbox.url, '--name', 'me']
  await using older = startCli(args, { cwd: folder.path })
  await older.until(() => older.errors.some((line) => line.startsWith('Listening as ')))
  await using newer = startCli([...args, '--json'], { cwd: folder.path })
  await newer.until(() => newer.lines.some((line) => line.includes('"connected"')))
  expect(await older.closed).toBe(1)
  await sandbox.control('DELETE', '/tunnels/shop/listeners/me')

  expect(await newer.closed).toBe(1)
  expect(older.errors.at(-1)).toMatch(
    /^Another listener now uses the name me at tunnel shop, so this one ends\./,
  )
  expect(newer.errors.at(-1)).toMatch(
    /^Listener me of tunnel shop was removed from the sandbox, so it ends\./,
  )
})

test('listen: reports a request that it could not forward, though another listener answered it', async ({
  folder,
}) => {
  await using sandbox = await openSandbox({ db: join(folder.path, 'sandbox.db') })
  await using app = await startRawReceiver((response) => response.end('here'))
  const start = (to: string, as: string) =>
    startCli(['listen', 'shop', '--forward-to', to, '--name', as, '--sandbox', sandbox.url], {
      cwd: folder.path,
    })
  await using down = start(String(await freePort()), 'down')
  await using up = start(app.origin, 'up')
  for (const one of [down, up]) {
    await one.until(() => one.errors.some((line) => line.startsWith('Listening as ')))
  }

  const answer = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST', body: 'x' })
  await down.until(() => down.lines.length === 1)
  expect([answer.status, await answer.text()]).toEqual([200, 'here'])
  expect(down.lines[0]).toMatch(
    /^✕  POST \/? +.*nothing listens on .*, not posted to your app, and not sent again/,
  )
  down.interrupt('SIGINT')
  await down.closed
  expect(down.errors.at(-1)).toBe('Stopped. New requests wait for down for a day.')
  const { answer: told } = await sandbox.control('GET', '/tunnels/shop')
  expect(told).toMatchObject({
    listeners: expect.arrayContaining([expect.objectContaining({ id: 'down', waiting: 0 })]),
  })
})
