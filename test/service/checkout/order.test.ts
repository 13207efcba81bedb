import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { payLinkUrl } from '../../../server/domain/links/link.ts'
import { openSandbox, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { connectTo, FORM, PAY, payRequest, waitRequest } from '../../support/pipelined-requests.ts'
import { startReceiver } from '../../support/receiver.ts'
import { sized } from '../../support/size.ts'

const RUNS = sized({ full: 1000, small: 100 })
const AT_ONCE = 25
const FIRST = 1001

/** Creates links with the pay_ids from 1001 on. */
async function makeLinks(sandbox: OpenSandbox, target: string): Promise<number[]> {
  const links = Array.from({ length: RUNS }, (_link, index) => ({
    account: shop.id,
    amount: 1,
    paymentEndpoint: `${target}/${index % 5}`,
    callbackUrl: 'http://shop.test/',
  }))
  expect((await sandbox.control('POST', '/seed', { links })).status).toBe(201)
  return links.map((_link, index) => FIRST + index)
}

/** Submits the form with Node's own client, which reports an answer as soon as it arrives. */
function submitForm(payLink: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const form = request(payLink, { agent, method: 'POST', headers: { 'content-type': FORM } })
    form.once('error', reject)
    form.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    form.end(PAY)
  })
}

/** Reports each redirect on a connection once it has arrived completely, up to `count` of them. */
async function eachRedirect(socket: Socket, count: number, tell: (payId: number) => void): Promise<void> {
  const redirect = /pay_id=(\d+)&status=Success\r\n[^]*?\r\n0\r\n\r\n/g
  let received = ''
  for (let seen = 0; seen < count;) {
    received += ((await once(socket, 'data')) as [string])[0]
    const found = [...received.matchAll(redirect)]
    for (const [, payId] of found.slice(seen)) tell(Number(payId))
    seen = found.length
  }
}

const payIdIn = (body: string): number => Number(new URLSearchParams(body).get('data[pay_id]'))

test(`webhook-first: in ${RUNS} of ${RUNS} payments the receiver answers before the redirect is sent`, async () => {
  const answered = new Set<number>()
  const early: number[] = []
  await using receiver = await startReceiver(({ body }, response) => {
    setImmediate(() => {
      answered.add(payIdIn(body))
      response.end()
    })
  })
  await using sandbox = await openSandbox({ behaviors: { order: 'webhook-first' } })
  const payIds = await makeLinks(sandbox, receiver.url)

  const agent = new Agent({ keepAlive: true })
  const customer = async (): Promise<void> => {
    for (let payId = payIds.pop(); payId !== undefined; payId = payIds.pop()) {
      expect(await submitForm(payLinkUrl(payId, sandbox.url), agent)).toBe(302)
      if (!answered.has(payId)) early.push(payId)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, customer))
  agent.destroy()
  expect([answered.size, early]).toEqual([RUNS, []])
})

test(`redirect-first: in ${RUNS} of ${RUNS} payments the webhook is sent after a delayed redirect`, async () => {
  const redirected = new Set<number>()
  const early: number[] = []
  await using receiver = await startReceiver(({ body }, response) => {
    if (!redirected.has(payIdIn(body))) early.push(payIdIn(body))
    response.end()
  })
  await using sandbox = await openSandbox({ behaviors: { order: 'redirect-first' } })
  const payIds = await makeLinks(sandbox, receiver.url)
  const { id } = await sandbox.createLink()

  let after = 0
  for (let start = 0; start < RUNS; start += AT_ONCE) {
    const batch = payIds.slice(start, start + AT_ONCE)
    const socket = await connectTo(sandbox)
    const redirects = eachRedirect(socket, AT_ONCE, (payId) => redirected.add(payId))
    socket.write([waitRequest(after), ...batch.map(payRequest)].join(''))
    await sandbox.control('POST', '/events/wait', { match: { type: 'link.paid' }, count: AT_ONCE, after })
    expect(redirected.size).toBe(start)
    await sandbox.control('POST', `/links/${id}/decline`)
    await redirects
    socket.destroy()
    await sandbox.settled()
    after = (await sandbox.control('GET', '/events?limit=1')).answer.head
  }
  expect([receiver.received.length, early]).toEqual([RUNS, []])
})
