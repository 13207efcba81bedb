import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { callsOf, courier, shop } from '../support/sandbox.ts'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { test } from '../support/test.ts'

test('start: prints the environment variables, and the ready line last', async ({ folder }) => {
  await using sandbox = await startSandboxCli(['--port', '0'], { cwd: folder.path })

  expect(sandbox.lines).toContain(`PAYLINK_URL=${sandbox.url}`)
  expect(sandbox.lines).toContain(`PAYLINK_API_KEY=${shop.apiKey}`)
  expect(sandbox.lines).toContain(`PAYLINK_USER_ID=${shop.id}`)
  expect(sandbox.lines).toContain(`PAYLINK_RECIPIENT_TOKEN=${courier.recipientToken}`)
  expect(sandbox.lines.at(-1)).toBe(`Sandbox listening on ${sandbox.url}`)
  expect((await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
  expect(existsSync(join(folder.path, '.paylink', 'sandbox.db'))).toBe(true)
  expect(readFileSync(join(folder.path, '.paylink', '.gitignore'), 'utf8')).toBe('*\n')
})

test('start: prints the addresses for other machines and how to listen, but no token', async ({ folder }) => {
  const args = ['--port', '0', '--db', ':memory:', '--admin-token', 'open-sesame']
  const env = { PAYLINK_CONTAINER: '0' }
  await using open = await startSandboxCli([...args, '--host', '0.0.0.0'], { cwd: folder.path, env })
  await using behind = await startSandboxCli([...args, '--public-url', 'https://pay.example'], {
    cwd: folder.path,
    env,
  })
  await using closed = await startSandboxCli(args, { cwd: folder.path, env })

  const { port } = new URL(open.url)
  const others = Object.values(networkInterfaces())
    .flatMap((all = []) => all)
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `http://${address}:${port}`)
  expect(others.filter((url) => !open.lines.some((line) => line.endsWith(` ${url}`)))).toEqual([])
  expect(behind.lines).toContain('  For others    https://pay.example')
  expect(behind.lines).toContain('PAYLINK_URL=https://pay.example')
  expect(behind.lines).toContain(
    '  To listen     npx paylink-sandbox listen <name> --forward-to http://localhost:3000 --sandbox https://pay.example --token <token>',
  )
  expect(closed.lines.join('\n')).not.toMatch(/For others|To listen/)
  expect([...open.lines, ...behind.lines].join('\n')).not.toContain('open-sesame')
})

test('start: in a container, prints a placeholder for the address of the host', async ({ folder }) => {
  const env = { PAYLINK_CONTAINER: '1' }
  const args = ['--port=0', '--db=:memory:', '--admin-token=open-sesame', '--host=0.0.0.0', '--tls']
  await using sandbox = await startSandboxCli([...args, '--allow-host=*.com'], { cwd: folder.path, env })

  expect(sandbox.lines).toContain(
    '  For others    https://<address>, with the address of the host machine and the port that it publishes',
  )
  expect(sandbox.lines).toContainEqual(
    expect.stringMatching(/^  To listen .* --sandbox https:\/\/<address> --token <token>$/),
  )
  expect(sandbox.lines).toContainEqual(expect.stringMatching(/^ +\*\.com allows every host below \.com/))
})

test('start --json: writes one JSON record to stdout, and the rest to stderr', async ({ folder }) => {
  await using sandbox = await startSandboxCli(['--port=0', '--db=:memory:', '--json'], { cwd: folder.path })
  await sandbox.end('SIGTERM')

  expect(sandbox.lines).toHaveLength(1)
  expect(JSON.parse(sandbox.lines[0]!)).toMatchObject({
    type: 'ready',
    url: sandbox.url,
    accounts: [{ id: shop.id, apiKey: shop.apiKey }, { recipientToken: courier.recipientToken }, {}],
  })
  expect(sandbox.errors.at(-1)).toBe(`Sandbox listening on ${sandbox.url}`)
})

test('start --quiet: prints only the ready line', async ({ folder }) => {
  await using sandbox = await startSandboxCli(['--port', '0', '--db', ':memory:', '--quiet'], {
    cwd: folder.path,
  })
  await sandbox.end('SIGTERM')
  expect([sandbox.lines, sandbox.errors]).toEqual([[`Sandbox listening on ${sandbox.url}`], []])
})

test.skipIf(process.platform === 'win32').for(['SIGINT', 'SIGTERM'] as const)(
  'start: exits with 0 on %s',
  async (signal, { folder }) => {
    await using sandbox = await startSandboxCli(['--port', '0', '--db', ':memory:'], { cwd: folder.path })
    expect(await sandbox.end(signal)).toBe(0)
  },
)

test('start: keeps links across a restart', async ({ folder }) => {
  const first = await startSandboxCli(['--port', '0', '--behavior', 'errorStatus=http'], { cwd: folder.path })
  await callsOf(first.url).createLink({ recipient_note: 'Order 7' })
  await first.end('SIGTERM')

  await using second = await startSandboxCli(['--port', '0'], { cwd: folder.path })
  const { answer } = await callsOf(second.url).control('GET', '/links/1001')
  expect(answer).toMatchObject({ note: 'Order 7', payLink: `${second.url}/payment?link_id=MTAwMQ%3D%3D` })
  // The flag applied to the first start only.
  expect((await callsOf(second.url).call('createLink', {})).status).toBe(200)
})

test.for<[args: string[], message: string]>([
  [['--prot', '1'], 'Unknown flag --prot. Did you mean --port? --help lists them.'],
  [['--port', 'x'], '--port is x. It must be a number from 0 to 65535.'],
  [['--port', '-1'], '--port must be a number from 0 to 65535.'],
  [['--keep', 'abc'], '--keep is abc. It must be a whole number, 0 for all.'],
  [['--keep', '-1'], '--keep must be a whole number, 0 for all.'],
  [['--tunnel-token', 'ada=short'], '--tunnel-token ada is too short. It must have at least 8 characters.'],
  [['--port'], "Option '--port <value>' argument missing. --help lists the flags."],
  [
    ['--host', '0.0.0.0'],
    'Listening on 0.0.0.0 lets other machines reach the sandbox. Set --admin-token to a secret, or leave out --host.',
  ],
  [['--behavior', 'tempo=fast'], '--behavior tempo is not a behavior. There are payId, cancelWebhook, '],
  [['--behavior', 'payid=same'], '--behavior payid is not a behavior. Did you mean payId?'],
  [['--behavior', 'payId=other'], '--behavior payId is other. It must be same or distinct.'],
  [
    ['--behavior', 'retries=5,30'],
    '--behavior retries is 5,30. It must be none or <waits>, like 5s,30s,2m,1h: at most 20 of them, each from 1s to 30d.',
  ],
  [
    ['--public-url', 'pay.example'],
    '--public-url is pay.example. It must be an address like https://pay.example, without a path.',
  ],
  [['strat'], 'Unknown command strat. Did you mean start? --help lists them.'],
  [['start', 'now'], 'start does not take now. Write npx paylink-sandbox start [flags].'],
  [['--db', 'taken/x.db', '--port', '0'], 'taken/x.db cannot be created'],
  // In these folders, `mkdir` of Node would loop forever.
  [['--db', '/proc/x/y.db', '--port', '0'], 'Database /proc/x/y.db cannot be created'],
  [['--db', '/proc/x/y.db', '--port', '0', '--tls'], 'Certificate /proc/x/y.db.crt cannot be written'],
  [
    ['--db', 'mysql://me:secret@host/x', '--port', '0', '--tls'],
    '--db is a URL. It must be the path of a file, like .paylink/sandbox.db, or begin with postgres://.',
  ],
  [['--db', 'file:x.db', '--port', '0'], '--db is a URL'],
  [['--db', '', '--port', '0'], '--db is empty. Give it a value, or leave it out.'],
  [['--host', '0.0.0.0', '--admin-token', ''], '--admin-token is empty. Give it a value, or leave it out.'],
  [
    ['--allow-host', 'https://shop.example'],
    '--allow-host is https://shop.example. It must be a host like shop.example',
  ],
  [['--public-url', 'https://pay.example/sub'], '--public-url is https://pay.example/sub. It must be'],
  [
    ['--replicas'],
    '--replicas requires a database on PostgreSQL. Set --db to one, like postgres://user@host/database, or leave it out.',
  ],
  [
    ['--replicas', '--db', 'postgres://me@localhost/shop', '--tls'],
    '--replicas cannot use a self-signed certificate, because each process would have its own. Replace --tls with --tls-cert and --tls-key.',
  ],
  [
    ['--replica-url', 'http://10.0.0.5:4400'],
    '--replica-url has no effect without --replicas. Also set --replicas, or leave out --replica-url.',
  ],
  [
    ['--replicas', '--replica-url', 'http://10.0.0.5:4400/x'],
    '--replica-url is http://10.0.0.5:4400/x. It must be an address like https://pay.example, without a path.',
  ],
])('start: rejects %j in one line', async ([args, message], { folder }) => {
  writeFileSync(join(folder.path, 'taken'), 'a file, where a folder would have to be')
  const { code, stdout, stderr } = await runCli(args, { cwd: folder.path })
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [expect.stringContaining(message)]])
  expect(readdirSync(folder.path)).toEqual(['taken'])
})

test('start: rejects a port in use', async ({ folder }) => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo

  const { code, stderr } = await runCli(['--port', String(port), '--db', ':memory:'], { cwd: folder.path })
  holder.close()
  expect([code, stderr]).toEqual([
    2,
    `Port ${port} is taken. Set --port to another one (0 picks a free one), or stop what listens there.\n`,
  ])
})

test('start: names the sandbox that already runs at its port', async ({ folder }) => {
  for (const tls of [[], ['--tls']]) {
    await using first = await startSandboxCli(['--port', '0', ...tls], { cwd: folder.path })
    const { code, stdout, stderr } = await runCli(['--port', new URL(first.url).port], { cwd: folder.path })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `A sandbox is already running at ${first.url}. Use it, or stop it with Ctrl-C, or with \`npx paylink-sandbox stop\` if it runs in the background. To start a second one, set --port to another port (0 picks a free one) and --db to another file or :memory:.\n`,
    })
  }
})

test('start: names the environment variable with an invalid value', async ({ folder }) => {
  const { code, stderr } = await runCli([], { cwd: folder.path, env: { PAYLINK_PORT: 'x' } })
  expect([code, stderr]).toEqual([2, 'PAYLINK_PORT is x. It must be a number from 0 to 65535.\n'])
})

test('--help and --version: print and exit', async ({ folder }) => {
  const help = await runCli(['--help'], { cwd: folder.path })
  const version = await runCli(['--version'], { cwd: folder.path })
  expect([help.code, version.code, version.stdout]).toEqual([
    0,
    0,
    expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  ])
  expect(help.stdout).toContain('--public-url <url>')
  expect(help.stdout).toMatch(/ rateLimit +none \| <n>\/min\n/)
})
