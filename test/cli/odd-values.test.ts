import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import { readStartOptions } from '../../server/runtime/config/read-options.ts'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { callsOf, openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const MEMORY = { PAYLINK_PORT: '0', PAYLINK_DB: ':memory:' }

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test.for<[what: string, around: (value: string) => string]>([
  ['a carriage return', (value) => `${value}\r`],
  ['a line end of Windows', (value) => `${value}\r\n`],
  ['spaces and tabs', (value) => ` \t${value} \t`],
  ['no-break spaces', (value) => `\u00a0${value}\u00a0`],
  ['a byte order mark', (value) => `\ufeff${value}`],
  ['a zero-width space', (value) => `${value}\u200b`],
  ['double quotes, which Docker keeps', (value) => `"${value}"`],
  ['single quotes, and a line end', (value) => `'${value}'\r`],
])('variables may have %s around their values', async ([, around], { folder }) => {
  const port = String(await freePort())
  const env = {
    PAYLINK_PORT: around(port),
    PAYLINK_DB: around(':memory:'),
    PAYLINK_ADMIN_TOKEN: around('a-long-secret'),
    PAYLINK_BEHAVIOR: around('payId=distinct'),
    PAYLINK_QUIET: around('true'),
  }
  await using sandbox = await startSandboxCli([], { cwd: folder.path, env })
  expect(sandbox.url).toBe(`http://127.0.0.1:${port}`)
  await using handle = await connectSandbox(around(sandbox.url).replaceAll(/["']/g, ''), {
    adminToken: 'a-long-secret',
  })
  expect((await handle.info()).behaviors.payId).toBe('distinct')

  const client = { PAYLINK_URL: around(sandbox.url), PAYLINK_ADMIN_TOKEN: around('a-long-secret') }
  expect(await runCli(['accounts'], { cwd: folder.path, env: client })).toMatchObject({ code: 0 })
})

test('flags and operands may end with a carriage return, as in a script with the line ends of Windows', async ({
  folder,
}) => {
  await using sandbox = await startSandboxCli(['--port', '0\r', '--db', ':memory:\r'], { cwd: folder.path })
  const run = (...args: string[]) => runCli(args, { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } })
  expect(await run('create', '--amount', '5\r', '--note', ' kept \r')).toMatchObject({ code: 0 })
  expect(await run('pay', '1001\r')).toMatchObject({ code: 0 })
  const { answer } = await callsOf(sandbox.url).control('GET', '/links/1001')
  expect(answer).toMatchObject({ note: ' kept \r' })
})

test.for<[args: string[]]>([
  [['health\r', '--json\r']],
  [['\ufeffhealth', '--json']],
  [['health ', '--sandbox', 'http://127.0.0.1:1\r', '--json\u00a0']],
])('invisible characters in commands and flags are ignored: %j', async ([args], { folder }) => {
  const { code, stdout, stderr } = await runCli(args, { cwd: folder.path, env: { PAYLINK_PORT: '1' } })
  expect([code, stderr]).toEqual([1, ''])
  expect(JSON.parse(stdout)).toMatchObject({ url: 'http://127.0.0.1:1' })
})

test.for<[args: string[], stdout: RegExp]>([
  [['--version\r'], /^\d+\.\d+\.\d+/],
  [['--help\r'], /Usage: /],
  [['help', 'health\r'], /\nUsage: npx paylink-sandbox health /],
  [['exec', '--quiet\r', '--', 'printf', 'kept\\r\r'], /^kept\r\r$/],
])('the command line understands %j', async ([args, expected], { folder }) => {
  expect(await runCli(args, { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(expected),
  })
})

test('the error about an empty command says that it is empty', async ({ folder }) => {
  const { code, stderr } = await runCli([''], { cwd: folder.path })
  expect([code, stderr]).toEqual([2, 'The command is empty. --help lists the commands.\n'])
})

test.for<[name: string, value: string]>([
  ['PAYLINK_PORT', 'tcp://10.96.0.12:4400'],
  ['PAYLINK_PORT', 'tcp://[fd00::1]:4400'],
  ['PAYLINK_PORT', 'udp://172.17.0.5:53'],
  ['PAYLINK_PORT', ''],
  ['PAYLINK_PORT', '""'],
  ['PAYLINK_SERVICE_HOST', '10.96.0.12'],
  ['PAYLINK_PORT_4400_TCP', 'tcp://10.96.0.12:4400'],
  ['PAYLINK_SANDBOX_PORT', 'tcp://10.96.0.12:4400'],
])('the variable %s=%s does not set the port', async ([name, value], { folder }) => {
  const env = { PAYLINK_DB: ':memory:', [name]: value }
  const { code, stdout, stderr } = await runCli(['health', '--json'], { cwd: folder.path, env })
  expect([code, stderr]).toEqual([1, ''])
  expect(JSON.parse(stdout)).toMatchObject({ url: 'http://127.0.0.1:4400' })
})

test.for<[what: string, args: string[], env: Record<string, string>, message: string]>([
  ['a space within', [], { PAYLINK_PORT: '44\u00a000' }, String.raw`PAYLINK_PORT is 44\u00a000. It must be`],
  ['one quote', [], { PAYLINK_PORT: '"4400' }, 'PAYLINK_PORT is "4400. It must be'],
  ['a line break', ['--db', 'a\nb'], {}, '--db contains a line break.'],
  ['a control character', ['--db', 'a\u0007b'], {}, String.raw`--db contains the control character \u0007.`],
  ['only spaces', ['--db', ' \u00a0'], {}, '--db is empty.'],
  ['an address of a service', ['--port', 'tcp://10.96.0.12:4400'], {}, '--port is tcp://10.96.0.12:4400.'],
  [
    'an accent in a token',
    ['--admin-token', 'geheimnis-ü'],
    {},
    '--admin-token has the character U+00FC at position 11,',
  ],
  [
    'an emoji in a token',
    [],
    { PAYLINK_ADMIN_TOKEN: 'secret-🔑' },
    'PAYLINK_ADMIN_TOKEN has the character U+1F511 at position 8,',
  ],
  [
    'a line break in a token',
    [],
    { PAYLINK_ADMIN_TOKEN: 'secret\nsecret' },
    'PAYLINK_ADMIN_TOKEN contains a line break.',
  ],
  [
    'an accent in the token of a team',
    ['--tunnel-token', 'ada=geheimnis-ü'],
    { PAYLINK_ADMIN_TOKEN: 'long-secret' },
    '--tunnel-token ada has the character U+00FC',
  ],
])(
  'a value with %s is refused, and its invisible characters are shown',
  async ([, args, env, message], { folder }) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: folder.path, env: { ...MEMORY, ...env } })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  },
)

test.for<[args: string[], env: Record<string, string>, message: string]>([
  [
    ['accounts', '--admin-token', 'ü'],
    {},
    '--admin-token has the character U+00FC at position 1, which cannot be sent in a header.',
  ],
  [['accounts'], { PAYLINK_ADMIN_TOKEN: 'ü' }, 'PAYLINK_ADMIN_TOKEN has the character U+00FC'],
  [['create', '--amount', '5', '--key', 'ü'], {}, '--key has the character U+00FC'],
  [['pay', '--amount', '5'], { PAYLINK_API_KEY: 'a\nb' }, 'PAYLINK_API_KEY has the character U+000A'],
  [['listen', 'shop', '--forward-to', '3000', '--token', 'ü'], {}, '--token has the character U+00FC'],
  [
    ['listen', 'shop', '--forward-to', '3000'],
    { PAYLINK_TOKEN: 'ü' },
    'PAYLINK_TOKEN has the character U+00FC',
  ],
])(
  'a secret with characters that no header can contain is refused and not shown: %j %j',
  async ([args, env, message], { folder, sandbox }) => {
    const { code, stderr } = await runCli(args, {
      cwd: folder.path,
      env: { PAYLINK_URL: sandbox.url, ...env },
    })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  },
)

test('connectSandbox refuses an admin token with characters that no header can contain', async ({
  sandbox,
}) => {
  await expect(connectSandbox(sandbox.url, { adminToken: 'geheim-ü' })).rejects.toThrow(
    'adminToken has the character U+00FC at position 8, which cannot be sent in a header.',
  )
})

test.for<[args: string[], env: Record<string, string>, message: string]>([
  [
    ['accounts', '--admin-token', 'another-secret'],
    {},
    '--admin-token is not the admin token of the sandbox at URL. ',
  ],
  [
    ['accounts'],
    { PAYLINK_ADMIN_TOKEN: 'another-secret' },
    'PAYLINK_ADMIN_TOKEN is not the admin token of the sandbox at URL. ',
  ],
  [['accounts'], {}, 'The sandbox at URL requires its admin token. '],
  [
    ['listen', 'shop', '--forward-to', '3000', '--account', 'Flower Shop', '--token', 'another-secret'],
    {},
    '--token is not the admin token of the sandbox at URL, which --account requires. ',
  ],
])(
  'the error says whether the admin token is wrong or missing: %j %j',
  async ([args, env, message], { folder }) => {
    await using sandbox = await openSandbox({ adminToken: 'admin-secret' })
    const result = await runCli(args, { cwd: folder.path, env: { PAYLINK_URL: sandbox.url, ...env } })
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr.replaceAll(sandbox.url, 'URL')).toContain(message)
  },
)

test('connectSandbox says whether the admin token is missing or wrong', async () => {
  await using sandbox = await openSandbox({ adminToken: 'admin-secret' })
  await expect(connectSandbox(sandbox.url)).rejects.toThrow('This sandbox requires its admin token.')
  await expect(connectSandbox(sandbox.url, { adminToken: 'another-secret' })).rejects.toThrow(
    'The token of this request is not the admin token of this sandbox.',
  )
})

test.for(['localhost:PORT', 'LOCALHOST:PORT', '127.0.0.1:PORT', ':PORT', 'PORT', 'HTTP://localhost:PORT'])(
  'the address %s of a sandbox works without http://',
  async (form, { folder, sandbox }) => {
    const address = form.replace('PORT', new URL(sandbox.url).port)
    const { code, stderr } = await runCli(['health', '--sandbox', address], { cwd: folder.path })
    expect([code, stderr]).toEqual([0, ''])
    await using handle = await connectSandbox(address)
    expect(handle.version).toBe(sandbox.version)
  },
)

test.for<[args: string[], message: string]>([
  [
    ['health', '--sandbox', 'pay.dev.example'],
    '--sandbox is pay.dev.example. It must be an address like https://pay.dev.example.',
  ],
  [['health', '--sandbox', 'pay.dev.example:443'], 'It must be an address like https://pay.dev.example:443.'],
  [
    ['health', '--sandbox', 'ftp://localhost'],
    '--sandbox is ftp://localhost. It must be an address like http://127.0.0.1:4400.',
  ],
  [
    ['listen', 'shop', '--forward-to', 'shop.example/hooks'],
    'It must be an address like https://shop.example/hooks.',
  ],
])(
  'the error about an address without a scheme says what to write: %j',
  async ([args, message], { folder }) => {
    const { code, stderr } = await runCli(args, { cwd: folder.path })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  },
)

test('spaces around the name of a database are ignored', async ({ folder }) => {
  await using sandbox = await startSandboxCli(['--port', '0', '--db', ' sandbox.db '], { cwd: folder.path })
  expect(sandbox.lines).toContain('  Database      sandbox.db')
  if (process.platform !== 'win32') expect(statSync(join(folder.path, 'sandbox.db')).mode & 0o777).toBe(0o600)
})

test.for(['[::1]', '::1', '0:0:0:0:0:0:0:1', 'LOCALHOST', '::ffff:127.0.0.1'])(
  '--host %s is this machine, so it needs no token',
  async (host, { folder }) => {
    await using sandbox = await startSandboxCli(['--port', '0', '--db', ':memory:', '--host', host], {
      cwd: folder.path,
    })
    expect(await runCli(['health', '--sandbox', sandbox.url], { cwd: folder.path })).toMatchObject({
      code: 0,
    })
  },
)

test.for([':memory', ':Memory:'])(
  '--db %s is refused, because it looks like a misspelled :memory:',
  async (db) => {
    await expect(readStartOptions({ db }, { env: {} })).rejects.toThrow(
      `--db is ${db}. It must be the path of a file, or :memory:.`,
    )
  },
)

test.for(['localhost.', 'shop.localhost', '127.1', '0x7f.0.0.1', '127.0.0.2', '[::FFFF:127.0.0.1]'])(
  '--host %s needs no token, because only this machine reaches it',
  async (host) => {
    const { adminToken } = await readStartOptions({ host }, { env: {} })
    expect(adminToken).toBeUndefined()
  },
)

test.for([
  'http://127.0.0.1',
  '127.0.0.1:4400',
  '[::1]:4400',
  'fe80::1%lo',
  '*',
  '4400',
  '.',
  'two words',
  'a/b',
  'me@host',
])('--host %s is refused, because it is not a host', async (host, { folder }) => {
  const message = ` is ${host}. It must be an address like 127.0.0.1 or the name of a host, without http:// and port.\n`
  const { code, stderr } = await runCli(['--host', host], { cwd: folder.path })
  expect([code, stderr]).toEqual([2, `--host${message}`])
  const env = { PAYLINK_HOST: host }
  expect((await runCli(['health'], { cwd: folder.path, env })).stderr).toBe(`PAYLINK_HOST${message}`)
})

test.for<[name: string, value: string, expected: unknown]>([
  ['PAYLINK_ALLOW_HOST', 'a.test,b.test,', ['a.test', 'b.test']],
  ['PAYLINK_ALLOW_HOST', ',a.test, ,\u00a0b.test\r', ['a.test', 'b.test']],
  ['PAYLINK_ALLOW_HOST', '"a.test","b.test"', ['a.test', 'b.test']],
  ['PAYLINK_ALLOW_HOST', ' , ', []],
  ['PAYLINK_BEHAVIOR', 'retries=5s,30s, payId=distinct,', { retries: '5s,30s', payId: 'distinct' }],
  ['PAYLINK_BEHAVIOR', `'retries=5s,30s', 'payId=distinct'\r`, { retries: '5s,30s', payId: 'distinct' }],
])(
  'the list in %s may have commas, blanks and quotes around its entries: %j',
  async ([name, value, expected]) => {
    const { allowedHosts, behaviors } = await readStartOptions({}, { env: { [name]: value } })
    expect(name === 'PAYLINK_BEHAVIOR' ? behaviors : allowedHosts).toEqual(expected)
  },
)

test.for<[args: string[], message: string]>([
  [['--db=~/x.db'], '~/x.db begins with ~, which the shell has not replaced. Write the whole path.'],
  [['--db', '${HOME}/x.db'], '${HOME}/x.db begins with ${HOME}, which the shell has not replaced.'],
  [['--seed=$HOME/seed.json'], '$HOME/seed.json begins with $HOME, which the shell has not replaced.'],
  [['exec', '--har=~/run.har', '--', 'true'], '~/run.har begins with ~, which the shell has not replaced.'],
])(
  'a path with ~ or a variable that no shell has replaced creates no folder: %j',
  async ([args, message], { folder }) => {
    const { code, stderr } = await runCli(args, { cwd: folder.path, env: { PAYLINK_PORT: '0' } })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(readdirSync(folder.path)).toEqual([])
  },
)

test.for([[''], [' '], []])('exec -- %j: a command is required', async (command, { folder }) => {
  const { code, stderr } = await runCli(['exec', '--', ...command], { cwd: folder.path })
  expect([code, stderr]).toEqual([
    2,
    'exec requires a command after --. Write npx paylink-sandbox exec [flags] -- <command> [argument]….\n',
  ])
})

test.for<[args: string[], message: string]>([
  [['localhost:1/hooks'], 'because http://localhost:1/hooks cannot be reached'],
  [[':1'], 'because http://localhost:1 cannot be reached'],
  [['1', '--state-url', 'localhost:1/orders'], 'The state URL does not identify an order.'],
  [['1', '--order-url', ':2'], 'http://localhost:2 gave no answer'],
  [['--caller', '--order-url', 'localhost:1/orders'], 'http://localhost:1/orders'],
  [[' '], 'check requires the address of your receiver.'],
])(
  'check takes addresses of this machine without http://: %j',
  async ([args, message], { folder, sandbox }) => {
    const env = { PAYLINK_URL: sandbox.url }
    const { code, stderr } = await runCli(['check', ...args], { cwd: folder.path, env })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  },
)
