import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandboxCli } from '../support/cli.ts'
import { followFrom, upTo } from '../support/follow-events.ts'
import { freePort } from '../support/free-port.ts'
import { callTool } from '../support/mcp.ts'
import {
  BUILT_CLI,
  cleanEnvironment,
  isAlive,
  runBuiltCli,
  spawnSandbox,
  startBuiltCli,
} from '../support/process.ts'
import { callsOf, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('events: ends silently if its output is closed', async ({ folder, sandbox }) => {
  // The output is larger than the buffer of a pipe.
  const links = Array.from({ length: 1001 }, () => ({ account: shop.name, amount: 1 }))
  await sandbox.control('POST', '/seed', { links })
  await using run = startBuiltCli(['events', '--after', '0', '--json', '--sandbox', sandbox.url], {
    cwd: folder.path,
  })
  run.child.stdout.destroy()
  expect([await run.closed, run.errors]).toEqual([0, []])
})

test.for<[args: string[], code: number]>([
  [['exec', '--', process.execPath, '--version'], 0],
  [['start', '--port', 'x'], 2],
])(
  'a timer left open by a configuration file does not delay the end of %j',
  async ([args, code], { folder }) => {
    const config = 'setInterval(() => {}, 1000)\nexport default {}'
    writeFileSync(join(folder.path, 'paylink.config.mjs'), config)
    expect((await runBuiltCli(args, { cwd: folder.path })).code).toBe(code)
  },
)

test('events --follow: reconnects to a sandbox that was killed, and prints every event once', async ({
  folder,
}) => {
  const first = await spawnSandbox(['--port', '0'], { cwd: folder.path })
  await callsOf(first.url).createLink()
  await using run = followFrom(folder, first.url)
  await run.seen('api.request')

  await first.end('SIGKILL')
  await run.until(() => run.errors.length === 1)
  await using second = await startSandboxCli(['--port', new URL(first.url).port], { cwd: folder.path })
  await run.until(() => run.errors.length === 2)
  await callsOf(second.url).createLink()
  await run.seen('api.request', 2)

  expect(run.errors).toEqual([
    `The sandbox at ${first.url} is gone. Waiting for it to come back.`,
    `The sandbox at ${first.url} is back.`,
  ])
  const { answer } = await callsOf(second.url).control('GET', '/events?limit=1')
  expect(run.seqs()).toEqual(upTo(answer.head))
})

test('commands trust the certificate that NODE_EXTRA_CA_CERTS names', async ({ folder }) => {
  await using sandbox = await startSandboxCli(['--tls', '--port', '0', '--json'], { cwd: folder.path })
  const { certificate } = JSON.parse(sandbox.lines[0]!)
  // Node reads this variable when it starts.
  const trusting = { cwd: folder.path, env: { NODE_EXTRA_CA_CERTS: certificate.file as string } }
  for (const args of [['create', '--amount', '5', '--json'], ['events', '--limit', '1'], ['health']]) {
    const trusted = await runBuiltCli([...args, '--sandbox', sandbox.url], trusting)
    expect(trusted).toMatchObject({ code: 0, stderr: '' })
  }
})

test('mcp: an assistant starts it as a process, and repairs a failed webhook with its tools alone', async ({
  folder,
  receiver,
}) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BUILT_CLI, 'mcp'],
    cwd: folder.path,
    env: definedOnly(cleanEnvironment()),
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const call = async (name: string, given: Record<string, unknown>) =>
    (await callTool(client, name, given)).lines
  const target = { paymentEndpoint: `http://127.0.0.1:${await freePort()}/webhook` }

  await call('account', { action: 'change', ...target })
  await call('create_link', { amount: 20 })
  expect(await call('payment', { link: 1001, action: 'pay' })).toContain(
    'Webhook 1 of link 1001 failed: ✕ no response',
  )
  expect((await call('explain_webhook', {})).join('\n')).toContain('Start your app')
  await call('account', { action: 'change', paymentEndpoint: receiver.url })
  expect(await call('payment', { action: 'replay', webhook: 1, to: receiver.url })).toEqual([
    'Webhook 2 of link 1001 was delivered: ✓ 200',
  ])
  expect(
    await call('events', { action: 'wait', type: 'delivery.attempted', match: { httpStatus: 200 } }),
  ).toHaveLength(1)
  expect(receiver.received[0]!.pairs).toMatchObject({ 'data[amount]': '20' })

  const { pid } = transport
  await client.close()
  await expect.poll(() => isAlive(pid!)).toBe(false)
})

test('start: stays alive while it checks an app', async ({ folder, receiver }) => {
  await using sandbox = await spawnSandbox(['--port', '0'], { cwd: folder.path })
  const { control, rawControl } = callsOf(sandbox.url)

  const { answer } = await rawControl('POST', '/checks/caller', { url: receiver.url })

  expect(answer.detail).toContain('created no payment link')
  expect([(await control('GET', '/info')).status, sandbox.errors]).toEqual([200, []])
})

const definedOnly = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
