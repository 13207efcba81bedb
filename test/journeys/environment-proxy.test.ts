import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { openSandbox } from '../support/sandbox.ts'
import { runBuiltCli, TEST_NODE } from '../support/process.ts'
import { test } from '../support/test.ts'

/** Older versions of Node know no proxies. */
const testProxy = test.skipIf(spawnSync(TEST_NODE, ['--use-env-proxy', '--eval', '']).status !== 0)

/** A proxy that sends everything to one server, and records the requested addresses. */
async function startProxy(server: string) {
  const asked: string[] = []
  const proxy = createServer((incoming, outgoing) => {
    asked.push(incoming.url ?? '')
    const { pathname, search } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const forwarded = request(server + pathname + search, { method: method!, headers })
    forwarded.on('response', (response: IncomingMessage) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.writeHead(502).end('bad gateway'))
    incoming.pipe(forwarded)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

testProxy('a sandbox on this machine is called directly, although a proxy is set', async ({ folder }) => {
  await using sandbox = await openSandbox()
  await using proxy = await startProxy('http://127.0.0.1:1')
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, PAYLINK_URL: sandbox.url }
  const run = (...args: string[]) => runBuiltCli(args, { cwd: folder.path, env })

  expect(await run('health')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('create', '--amount', '5')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('pay', '1001')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('events', '--type', 'link.paid')).toMatchObject({ code: 0, stderr: '' })
  expect(proxy.asked).toEqual([])
})

testProxy(
  'a remote sandbox is called through the proxy from the environment variables',
  async ({ folder }) => {
    await using sandbox = await openSandbox({ publicUrl: 'http://pay.invalid' })
    await using proxy = await startProxy(sandbox.url)
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, PAYLINK_URL: 'http://pay.invalid' }

    expect(await runBuiltCli(['health'], { cwd: folder.path, env })).toMatchObject({ code: 0, stderr: '' })
    expect(proxy.asked).toEqual(['http://pay.invalid/_sandbox/ready'])
  },
)

testProxy.for<[what: string, command: string, code: number, message: RegExp]>([
  ['health', 'health', 1, /^The sandbox at .* is not ready: the server is not a sandbox\. /],
  ['a command', 'accounts', 2, /^The server at http:\/\/pay\.invalid is not a sandbox\. /],
])('the error of %s names the proxy that failed', async ([, command, code, message], { folder }) => {
  await using proxy = await startProxy('http://127.0.0.1:1')
  const address = proxy.url.replace('//', '//user:secret@')
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, PAYLINK_URL: 'http://pay.invalid' }

  const result = await runBuiltCli([command], { cwd: folder.path, env })

  const output = result.stdout + result.stderr
  expect(result.code).toBe(code)
  expect(output).toMatch(message)
  expect(output).toContain(`the proxy ${address.replace('secret', '…')} of HTTP_PROXY`)
  expect(output).not.toContain('..')
})
