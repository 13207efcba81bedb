import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { freePort } from '../../support/free-port.ts'
import { shop } from '../../support/sandbox.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

/** A shop that keeps its orders in a file. With `early`, it answers a webhook a second before it stores the payment. With `forgetful`, it opens all orders at its start. */
const SHOP = `
  import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
  import { createServer } from 'node:http'
  import { text } from 'node:stream/consumers'
  const [url, apiKey, port, folder, mode] = process.argv.slice(2)
  const fileOf = (order) => folder + '/' + order + '.json'
  const shop = 'http://127.0.0.1:' + port
  const orders = readdirSync(folder).filter((name) => name.endsWith('.json'))
  if (mode === 'forgetful') for (const name of orders) writeFileSync(folder + '/' + name, '{"status":"open"}')
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { pathname, searchParams } = new URL(request.url, shop)
    const order = searchParams.get('order') ?? ''
    if (pathname === '/orders') {
      const name = JSON.parse(body).order
      writeFileSync(fileOf(name), JSON.stringify({ status: 'open' }))
      await fetch(url + '/api/v2/createLink', {
        method: 'POST',
        headers: { token: apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 5, recipient_note: name, payment_endpoint: shop + '/webhook?order=' + name }),
      })
      response.writeHead(201).end()
    } else if (pathname === '/state') {
      response.writeHead(existsSync(fileOf(order)) ? 200 : 404).end(readFileSync(fileOf(order)))
    } else {
      const store = () => writeFileSync(fileOf(order), JSON.stringify({ status: 'paid' }))
      if (mode === 'early') setTimeout(store, 1_000)
      else store()
      response.end('ok')
    }
  })
  server.listen(Number(port), '127.0.0.1')
`

describe('example apps', () => {
  test.for<[mode: 'early' | 'stored' | 'forgetful', outcome: string, seen: RegExp]>([
    ['stored', 'passed', /^200$/],
    ['early', 'failed', /^the order was not paid within 5 s/],
    [
      'forgetful',
      'failed',
      /^an order had been paid before the app was killed and started again, the order was paid, and is no longer paid/,
    ],
  ])(
    'an app that is killed keeps a payment only if it stores it before the answer (%s: %s)',
    async ([mode, outcome, seen], { folder, sandbox }) => {
      writeFileSync(join(folder.path, 'shop.mjs'), SHOP)
      const port = await freePort()
      const address = `http://127.0.0.1:${port}`
      const handle = await connectSandbox(sandbox.url)
      const { results } = await handle.check(`${address}/webhook`, {
        orderUrl: `${address}/orders`,
        orderBody: '{"order":"{order}"}',
        stateUrl: `${address}/state?order={order}`,
        restart: [
          process.execPath,
          join(folder.path, 'shop.mjs'),
          sandbox.url,
          shop.apiKey,
          port,
          folder.path,
          mode,
        ]
          .map((word) => `"${word}"`)
          .join(' '),
        only: ['json', 'killed-after-answer'],
      })
      expect(results.map((result) => [result.name, result.outcome])).toEqual([
        ['json', 'passed'],
        ['killed-after-answer', outcome],
      ])
      expect(results[1]!.seen).toMatch(seen)
      await expect(fetch(address)).rejects.toThrow()
    },
  )
})

test('the error explains a command that does not start the app, and an app that already runs', async ({
  sandbox,
}) => {
  await using running = await startReceiver()
  const handle = await connectSandbox(sandbox.url)
  await expect(handle.check(running.url, { restart: 'exit 3' })).rejects.toThrow(
    /^Something already listens at .*\. Stop your app/,
  )
  const url = `http://127.0.0.1:${await freePort()}/webhook`
  await expect(handle.check(url, { restart: 'echo no such shop && exit 3' })).rejects.toThrow(
    'exit 3 ended. It printed: no such shop',
  )
})
