import { createFetch } from '../../server/platform/http/fetch.ts'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, globalAgent, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createApi } from '../../server/client/api.ts'
import { readPayload } from '../../server/client/payload.ts'
import { webhookFields } from '../../server/domain/webhooks/webhook.ts'

const hasOnlyKnownFields = (data: object = {}): boolean =>
  Object.keys(data).every((name) => Object.hasOwn(webhookFields, name))

/** A mistake of the app. Each mistake is one line of the code below. */
export type Flaw =
  | 'fails on what it does not know'
  | 'redirects'
  | 'shows a page'
  | 'compares the whole content type'
  | 'reads forms only'
  | 'looks for encoded brackets'
  | 'reads the first piece only'
  | 'compares amounts as text'
  | 'refuses further fields'
  | 'reads Success only'
  | 'counts every webhook'
  | 'lets a cancel win'
  | 'stays cancelled'
  | 'trusts the redirect'
  | 'breaks when the customer is first'
  | 'takes any amount'
  | 'takes any account'
  | 'takes any status'
  | 'pays the newest order'
  | 'takes pay_id for id'
  | 'forgets early webhooks'
  | 'opens a refunded order again'
  | 'believes the redirect of a cancel'
  | 'believes a forged cancel'
  | 'ships before it stores'
  | 'needs its first target first'
  | 'shows its key after an order'
  | 'redirects its page to itself'

interface Order {
  status: 'open' | 'paid' | 'cancelled' | 'refunded'
  fulfilled: number
  payId?: number
  /** Whether the first target has received a webhook. */
  isAnnounced?: true
  isRefundUnderway?: boolean
  /** Whether a refund got no answer, so that the service may have it. */
  isRefundUnclear?: boolean
  readonly id: number
  readonly userId: string
}

const PRICE = 12.5

/** A shop in one file for tests of the receiver check. It makes only the given mistake. */
export async function startCheckedApp(
  service: { readonly url: string; readonly apiKey: string },
  flaw?: Flaw,
  port = 0,
) {
  const api = createApi(service.url, service.apiKey, { fetch: createFetch(globalAgent), upstream: null })
  const orders = new Map<string, Order>()
  const hasTwoTargets = flaw === 'needs its first target first'
  /** Whether an order that was cancelled stays cancelled. */
  const staysCancelled =
    flaw === 'stays cancelled' ||
    flaw === 'believes the redirect of a cancel' ||
    flaw === 'believes a forged cancel'

  async function createOrder(): Promise<void> {
    const note = `Order ${randomUUID()}`
    const { data } = await api.call('createLink', {
      amount: PRICE,
      payment_endpoint: hasTwoTargets ? `${origin()}/webhook,${origin()}/second` : `${origin()}/webhook`,
      recipient_note: note,
      callback_url: `${origin()}/thanks?note=${encodeURIComponent(note)}`,
    })
    orders.set(note, { status: 'open', fulfilled: 0, id: data!.id, userId: data!.user_id })
  }

  /** Returns the HTTP status of the answer. */
  async function handleWebhook(contentType: string, body: string, isSecondTarget: boolean): Promise<number> {
    const isPlain = !contentType.includes(';')
    const type = flaw === 'compares the whole content type' && !isPlain ? 'unknown' : mediaTypeIn(contentType)
    if (flaw === 'reads forms only' && type !== FORM) return 415
    const isReadable = flaw !== 'looks for encoded brackets' || type !== FORM || body.includes('%5B')
    const data = (isReadable ? readPayload(type, body)?.data : undefined) as
      | Record<string, unknown>
      | undefined
    const { pay_id, note, amount, user_id, status } = data ?? {}
    const newest = [...orders.keys()].at(-1)
    const order = orders.get(flaw === 'pays the newest order' ? (newest ?? '') : String(note))
    if (order === undefined) {
      if (flaw === 'fails on what it does not know') return 500
      return data === undefined || flaw === 'forgets early webhooks' ? 200 : 404
    }
    if (flaw === 'refuses further fields' && !hasOnlyKnownFields(data)) return 422
    const isPrice =
      flaw === 'compares amounts as text'
        ? String(amount) === String(PRICE)
        : flaw === 'takes any amount' || Math.round(Number(amount) * 100) === PRICE * 100
    const isForgedCancel = flaw === 'believes a forged cancel' && status === 'cancel'
    const isOurs = flaw === 'takes any account' || isForgedCancel || user_id === order.userId
    if (hasTwoTargets && isSecondTarget && !order.isAnnounced) return 500
    if (hasTwoTargets) order.isAnnounced = true
    const isKnown = flaw !== 'takes pay_id for id' || Number(pay_id) === order.id
    if (!isPrice || !isOurs || !isKnown || !(Number(pay_id) > 0)) return 200
    const isSuccess = status === 'Success' || (status === 'success' && flaw !== 'reads Success only')
    order.payId = Number(pay_id)
    if (isSuccess || flaw === 'takes any status') await pay(order)
    else if (status === 'cancel' && (order.status === 'open' || flaw === 'lets a cancel win')) {
      order.status = 'cancelled'
    }
    return 200
  }

  async function pay(order: Order): Promise<void> {
    if (order.status === 'cancelled' && staysCancelled) return
    if (order.status === 'refunded') {
      if (flaw === 'opens a refunded order again') order.status = 'paid'
      return
    }
    const isNew = order.status !== 'paid' || flaw === 'counts every webhook'
    if (isNew && flaw === 'ships before it stores') await ship()
    if (isNew) order.fulfilled += 1
    order.status = 'paid'
  }

  /** Takes longer than the time until the next webhook arrives. */
  async function ship(): Promise<void> {
    for (let part = 0; part < 20; part += 1) await fetch(`${origin()}/state`)
  }

  async function refund(order: Order): Promise<void> {
    if (order.isRefundUnderway) return
    order.isRefundUnderway = true
    const request = { pay_id: order.payId!, refund_amount: PRICE, isFullRefund: true }
    // The service may answer with a web page.
    const done = await api.call('refundPayment', request).catch(() => undefined)
    const hasRefund = order.isRefundUnclear && done?.ResponseMsg === 'Refund already requested'
    if (done?.ResponseCode === 1 || hasRefund) order.status = 'refunded'
    else {
      order.isRefundUnderway = false
      order.isRefundUnclear ||= done === undefined
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', origin())
    if (pathname === '/orders') {
      await createOrder()
      response.writeHead(201).end(flaw === 'shows its key after an order' ? service.apiKey : undefined)
    } else if (pathname === '/refund') {
      await refund(orders.get(searchParams.get('note') ?? '')!)
      response.writeHead(204).end()
    } else if (pathname === '/state') {
      const order = orders.get(searchParams.get('note') ?? '')
      response.writeHead(order ? 200 : 404).end(JSON.stringify(order ?? null))
    } else if (pathname === '/thanks') {
      const order = orders.get(searchParams.get('note') ?? '')!
      const returned = searchParams.get('status')
      if (flaw === 'trusts the redirect' && returned === 'Success') await pay(order)
      if (flaw === 'believes the redirect of a cancel' && returned === 'cancel' && order.status === 'open') {
        order.status = 'cancelled'
      }
      if (flaw === 'redirects its page to itself') {
        response.writeHead(302, { location: request.url }).end()
        return
      }
      const breaks = flaw === 'breaks when the customer is first' && order.status !== 'paid'
      response.writeHead(breaks ? 500 : 200).end()
    } else {
      const body = flaw === 'reads the first piece only' ? await firstOf(request) : await buffer(request)
      const type = request.headers['content-type'] ?? ''
      const status = await handleWebhook(type, body.toString(), pathname === '/second')
      if (flaw === 'redirects') response.writeHead(302, { location: '/login' }).end()
      else if (flaw === 'shows a page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
      else response.writeHead(status).end()
    }
  }

  const server = createServer((request, response) => {
    // The connection can break in the middle of a body.
    answer(request, response).catch(() => response.writeHead(500).end())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    receiver: `${origin()}/webhook`,
    orderUrl: `${origin()}/orders`,
    stateUrl: `${origin()}/state?note={note}`,
    refundUrl: `${origin()}/refund?note={note}`,
    orders,
    makeOrder: createOrder,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose](): Promise<void> {
      server.close()
      server.closeAllConnections()
    },
  }
}

const FORM = 'application/x-www-form-urlencoded'

const mediaTypeIn = (contentType: string): string => contentType.split(';')[0]!

async function firstOf(request: IncomingMessage): Promise<Buffer> {
  const [piece] = (await once(request, 'data')) as [Buffer]
  request.resume()
  return piece
}
