import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { freePort } from '../../support/free-port.ts'
import type { CheckName } from '../../../server/verify/receiver-check/cases.ts'
import { shop } from '../../support/sandbox.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

/**
 * A shop that keeps its orders in a file. Its modes:
 *
 * - `remembering`: it keeps second payments only in memory.
 * - `unbooked`: it notes no refund that the service already has.
 * - `early`: it answers a webhook a second before it stores the payment.
 * - `forgetful`: it opens all orders at its start.
 * - `lazy`: it stores an order with its first webhook.
 * - `marked`: it marks an order while it creates the link, and never removes an old mark.
 * - `preparing`: it does the same, and asks the customer to wait.
 * - `once`: it takes each order only once.
 * - `sleepy`: it never does a job that it had begun.
 * - `stuck`: it never finishes a refund that it had begun.
 * - `whole`: it then refunds the whole order.
 * - `reopening`: it opens cancelled orders at its start.
 * - `packing`: it packs parcels a second after the payment, and at its start all that are missing.
 * - `talkative`: it logs its API key if a call fails.
 * - `unsigned`: its pages have a key that differs after each start.
 * - `recounted`: it takes refunded orders for paid ones at its start.
 * - `locked`: orders that were open when it was killed stay locked.
 * - `refunding` and `forgetting`: it sends a second payment back a moment after its answer.
 * - `refunding`: it also does so at its start.
 * - `amnesic`: it takes a webhook that comes again after a start for a second payment, and sends the payment back a moment later.
 */
const SHOP = `
  import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
  import { createServer } from 'node:http'
  import { text } from 'node:stream/consumers'
  const [url, apiKey, port, folder, mode] = process.argv.slice(2)
  const fileOf = (order) => folder + '/' + order + '.json'
  const read = (order) => JSON.parse(readFileSync(fileOf(order), 'utf8'))
  // The kill can come at any moment, and must not leave half a file.
  const write = (order, fields) => {
    writeFileSync(fileOf(order) + '.new', JSON.stringify(fields))
    renameSync(fileOf(order) + '.new', fileOf(order))
  }
  const shop = 'http://127.0.0.1:' + port
  const call = (operation, body) =>
    fetch(url + '/api/v2/' + operation, {
      method: 'POST',
      headers: { token: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => {
      if (mode === 'talkative' && !answer.ok) console.error({ headers: { token: apiKey } })
      return answer.json().catch(() => ({}))
    })
  const orders = readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5))
  for (const order of orders) {
    const known = read(order)
    if (mode === 'forgetful') write(order, { status: 'open', refunded: 0, parcels: 0 })
    else if (mode === 'reopening' && known.status === 'cancelled') write(order, { ...known, status: 'open' })
    else if (mode === 'packing' && known.payId) write(order, { ...known, parcels: 1 })
    else if (mode === 'recounted' && known.payId) write(order, { ...known, status: 'paid' })
    else if (known.isUnderway && mode === 'whole') call('refundPayment', { pay_id: known.payId, refund_amount: 5 })
    else if (known.isUnderway && mode !== 'stuck') write(order, { ...known, isUnderway: false })
  }
  const sendBack = (payId) => call('refundPayment', { pay_id: payId, refund_amount: 5, isFullRefund: true })
  const surpluses = folder + '/surpluses'
  if (mode === 'refunding' && existsSync(surpluses))
    for (const payId of readFileSync(surpluses, 'utf8').trim().split(' ')) void sendBack(Number(payId))
  const locked = new Set(mode === 'locked' ? orders.filter((order) => read(order).status === 'open') : [])
  const unsaved = new Set()
  const remembered = new Set()
  const key = crypto.randomUUID()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { pathname, searchParams } = new URL(request.url, shop)
    const order = searchParams.get('order') ?? ''
    if (pathname === '/orders') {
      const name = JSON.parse(body).order
      const mark = folder + '/' + name + '.mark'
      if (existsSync(mark)) return response.writeHead(mode === 'marked' ? 503 : 409).end('Please wait')
      if (mode === 'marked' || mode === 'preparing' || mode === 'once') writeFileSync(mark, '')
      if (mode === 'lazy') unsaved.add(name)
      else write(name, { status: 'open', refunded: 0, parcels: 0 })
      const page = mode === 'unsigned' && { callback_url: shop + '/page?key=' + key }
      await call('createLink', { amount: 5, recipient_note: name, payment_endpoint: shop + '/webhook?order=' + name, ...page })
      if (mode !== 'once') rmSync(mark, { force: true })
      response.writeHead(201).end()
    } else if (pathname === '/page') {
      response.writeHead(searchParams.get('key') === key ? 200 : 404).end()
    } else if (pathname === '/webhook' && locked.has(order)) {
      response.writeHead(503).end('Locked')
    } else if (pathname === '/state' && unsaved.has(order)) {
      response.end('{"status":"open","received":0,"refunded":0,"parcels":0}')
    } else if (pathname === '/state') {
      if (!existsSync(fileOf(order))) return response.writeHead(404).end()
      const { payId, second = remembered.has(order), ...known } = read(order)
      response.end(JSON.stringify({ ...known, received: (payId ? 5 : 0) + (second ? 5 : 0) }))
    } else if (pathname === '/refund') {
      const known = read(order)
      if (known.isUnderway) return response.writeHead(409).end()
      write(order, { ...known, isUnderway: true })
      const refunded = Number(searchParams.get('amount'))
      const isWhole = (mode === 'recounted' || mode === 'packing') && refunded === 5
      const answer = await call('refundPayment', { pay_id: known.payId, refund_amount: refunded })
      if (mode === 'unbooked' && answer.ResponseCode !== 1) write(order, { ...known, isUnderway: false })
      else write(order, { ...known, refunded, ...(isWhole && { status: 'refunded' }) })
      response.end()
    } else if (mode === 'lazy' && !unsaved.has(order) && !existsSync(fileOf(order))) {
      response.writeHead(404).end('No such order')
    } else {
      if (body.includes('cancel')) {
        if (existsSync(fileOf(order))) write(order, { ...read(order), status: 'cancelled' })
        return response.end('ok')
      }
      const payId = Number(/pay_id\\D+(\\d+)/.exec(decodeURIComponent(body))[1])
      const first = existsSync(fileOf(order)) ? read(order).payId : undefined
      if ((mode === 'refunding' || mode === 'forgetting') && first !== undefined && first !== payId) {
        appendFileSync(surpluses, payId + ' ')
        setTimeout(() => sendBack(payId), 1_000)
        return response.end('ok')
      }
      if (mode === 'amnesic' && first === payId && orders.includes(order)) setTimeout(() => sendBack(payId), 1_000)
      if (first !== undefined && first !== payId) {
        if (mode === 'remembering') remembered.add(order)
        else write(order, { ...read(order), second: true })
        return response.end('ok')
      }
      const store = () => {
        unsaved.delete(order)
        write(order, { refunded: 0, ...(existsSync(fileOf(order)) && read(order)), status: 'paid', payId, parcels: mode === 'packing' ? 0 : 1 })
        if (mode === 'packing') setTimeout(pack, 1_000)
      }
      const pack = () => {
        if (read(order).status === 'paid') write(order, { ...read(order), parcels: 1 })
      }
      if (mode === 'early') setTimeout(store, 1_000)
      else if (mode === 'sleepy') setTimeout(store, 100)
      else store()
      response.end('ok')
    }
  })
  server.listen(Number(port), '127.0.0.1')
`

async function checkShop(url: string, folder: string, mode: string, only: CheckName[]) {
  writeFileSync(join(folder, 'shop.mjs'), SHOP)
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const handle = await connectSandbox(url)
  const report = await handle.check(`${address}/webhook`, {
    orderUrl: `${address}/orders`,
    orderBody: '{"order":"{order}"}',
    stateUrl: `${address}/state?order={order}`,
    receivedPointer: '/received',
    refundedPointer: '/refunded',
    countPointer: '/parcels',
    refundUrl: `${address}/refund?order={order}&amount={refundAmount}`,
    timeoutMs: 2_000,
    restart: [process.execPath, join(folder, 'shop.mjs'), url, shop.apiKey, port, folder, mode]
      .map((word) => `"${word}"`)
      .join(' '),
    only,
  })
  return { ...report, address }
}

describe('example apps', () => {
  test.for<[mode: string, outcome: string, seen: RegExp, title?: string]>([
    ['stored', 'passed', /^200$/],
    [
      'early',
      'failed',
      /^after the app accepted a webhook, was killed some milliseconds later, and started again, the order was not paid within 26 s/,
    ],
    [
      'sleepy',
      'failed',
      /^after the app accepted a webhook, was killed some milliseconds later, and started again, the order was not paid within 26 s/,
    ],
    [
      'stuck',
      'failed',
      /^the app was killed while it requested a refund of €1\.15 of €5\.00, and started again\. For 26 s, further clicks/,
    ],
    [
      'remembering',
      'failed',
      /^an order was paid twice before the app was killed and started again\. It had received 10, and now 5$/,
      'After your app starts again, it has forgotten the second payment of an order',
    ],
    [
      'unbooked',
      'failed',
      /^the app was killed while it requested a refund of €1\.15 of €5\.00, and started again\. The service has accepted the refund\. After further clicks/,
    ],
    [
      'whole',
      'failed',
      /^the app was killed while it requested a refund of €1\.15 of €5\.00, and started again\. It requested €5\.00$/,
    ],
    [
      'lazy',
      'failed',
      /^a customer ordered right before the app was killed and started again, and paid afterwards: the app answered 404/,
    ],
    [
      'marked',
      'failed',
      /^the app was killed while it created a link, and started again. The customer ordered the same again for 26 s, and got no link: .* answered 503 "Please wait". The check waited no longer$/,
      'If your app stops while it creates a link, its customer can order only much later, or never',
    ],
    [
      'preparing',
      'failed',
      /^the app was killed while it created a link, and started again. The customer ordered the same again for 26 s, and got no link: .* answered 409 "Please wait". The check waited no longer$/,
      'If your app stops while it creates a link, its customer can order only much later, or never',
    ],
    ['once', 'passed', /^200$/],
    [
      'unsigned',
      'failed',
      /^the return page of an order answered 200, and 404 after the app was killed and started again: /,
      'After your app starts again, the return pages of earlier orders are gone',
    ],
    ['refunding', 'passed', /^200$/],
    [
      'amnesic',
      'failed',
      /^after the app was killed and started again, and the webhook of an order came again, the app requested a refund/,
      'After your app starts again, it refunds a payment whose webhook comes again',
    ],
    [
      'recounted',
      'failed',
      /^an order was paid and refunded before the app was killed and started again, and now it is paid$/,
      'After your app starts again, a refunded order is paid again',
    ],
    [
      'reopening',
      'failed',
      /^an order was cancelled before the app was killed and started again, and now it is "open" again$/,
      'After your app starts again, a cancelled order is open again',
    ],
    [
      'packing',
      'failed',
      /^an order was paid and refunded before the app was killed and started again, and now it is fulfilled$/,
      'After your app starts again, a refunded order is fulfilled',
    ],
    [
      'forgetting',
      'failed',
      /^an order was paid twice, .* It requested no refund within 26 s/,
      'If your app stops right after the second payment of an order, it never sends this payment back',
    ],
    [
      'locked',
      'failed',
      /^a customer ordered right before the app was killed and started again, and paid afterwards: the app answered 503 "Locked"/,
      'After your app starts again, it refuses the payment of an order',
    ],
    [
      'forgetful',
      'failed',
      /^after an order was paid, and the app was killed and started again, the order was paid, and is no longer paid/,
    ],
  ])(
    'an app that is killed keeps a payment only if it stores it before the answer (%s: %s)',
    async ([mode, outcome, seen, title], { folder, sandbox }) => {
      const { address, results, mistakes } = await checkShop(sandbox.url, folder.path, mode, [
        'form-encoded-brackets',
        'killed-after-answer',
      ])
      expect(results.map((result) => [result.name, result.outcome])).toEqual([
        ['form-encoded-brackets', 'passed'],
        ['killed-after-answer', outcome],
      ])
      expect(results[1]!.seen).toMatch(seen)
      if (title !== undefined) expect(mistakes.map((mistake) => mistake.title)).toEqual([title])
      await expect(fetch(address)).rejects.toThrow()
    },
  )
})

test('an API key in the log of the app is found', async ({ folder, sandbox }) => {
  const { results } = await checkShop(sandbox.url, folder.path, 'talkative', [
    'form-encoded-brackets',
    'api-key',
  ])

  expect(results[1]).toMatchObject({
    problem: 'leaked-key',
    seen: 'the log of your app contains the API key',
  })
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
