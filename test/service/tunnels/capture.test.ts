import { networkInterfaces } from 'node:os'
import { expect } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import { openSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

test('a tunnel captures any method, path and bytes, and answers 200', async ({ sandbox }) => {
  const bytes = new Uint8Array([0, 255, 10, 128])

  const response = await fetch(`${sandbox.url}/tunnel/my-tunnel/some/path?x=1`, {
    method: 'PUT',
    body: bytes,
  })
  const { answer } = await sandbox.control('GET', '/events?type=tunnel.captured')
  const { answer: event } = await sandbox.control('GET', `/events/${answer.events[0]!.seq}`)

  expect(response.status).toBe(200)
  expect(event).toMatchObject({
    tunnel: 'my-tunnel',
    method: 'PUT',
    path: '/tunnel/my-tunnel/some/path?x=1',
    size: 4,
    capturedDeliveryId: null,
    payId: null,
    exchange: {
      request: { body: { encoding: 'base64', content: Buffer.from(bytes).toString('base64'), size: 4 } },
    },
  })
})

test.for(['/tunnel', '/tunnel/', '/tunnel/Upper', '/tunnel/a.b', '/tunnel/-x', '/%74unnel/shop/a'])(
  'the address %s is not a tunnel',
  async (path, { sandbox }) => {
    expect((await fetch(sandbox.url + path, { method: 'POST' })).status).toBe(404)
  },
)

test('a webhook from the sandbox to its own tunnel is linked to its payment', async ({ sandbox }) => {
  await sandbox.createLink()
  const { answer: paid } = await sandbox.control('POST', '/links/1001/pay')

  const { answer } = await sandbox.control('GET', '/events?type=tunnel.captured')
  expect(answer.events).toMatchObject([
    { payId: 1001, linkId: 1001, capturedDeliveryId: paid.deliveries[0]!.id },
  ])
})

test.for<[name: string, base: (url: string) => string]>([
  ['its own address', (url) => url],
  ['localhost', (url) => url.replace('127.0.0.1', 'localhost')],
])('a webhook to a tunnel at %s is also linked to its payment', async ([_name, base], { sandbox }) => {
  await sandbox.createLink({ payment_endpoint: `${base(sandbox.url)}/tunnel/x/../mine?order=7` })
  const { answer: paid } = await sandbox.control('POST', '/links/1001/pay')

  const { answer } = await sandbox.control('GET', '/events?type=tunnel.captured')
  expect(answer.events).toMatchObject([
    { tunnel: 'mine', path: '/tunnel/mine?order=7', payId: 1001, capturedDeliveryId: paid.deliveries[0]!.id },
  ])
})

test('a webhook to a tunnel at the public URL is also linked to its payment', async () => {
  await using proxy = await startReceiver((received, response) => {
    const headers = Object.fromEntries(
      received.rawHeaders.flatMap((name, index) =>
        name === 'sandbox-delivery' ? [[name, received.rawHeaders[index + 1]!]] : [],
      ),
    )
    const passOn = () => fetch(sandbox.url + received.path, { method: 'POST', headers, body: received.body })
    void passOn().then(({ status }) => response.writeHead(status).end())
  })
  await using sandbox = await openSandbox({ publicUrl: proxy.origin })
  await sandbox.createLink({ payment_endpoint: `${proxy.origin}/tunnel/mine` })
  const { answer: paid } = await sandbox.control('POST', '/links/1001/pay')

  const { answer } = await sandbox.control('GET', '/events?type=tunnel.captured')
  expect(answer.events).toMatchObject([{ tunnel: 'mine', capturedDeliveryId: paid.deliveries[0]!.id }])
})

test('a webhook to a tunnel of another sandbox has no delivery header, and is not linked', async ({
  sandbox,
}) => {
  await using elsewhere = await startReceiver(({ path, body }, response) => {
    const headers = { 'sandbox-delivery': '1' }
    void fetch(sandbox.url + path, { method: 'POST', headers, body }).then(() => response.end())
  })
  await sandbox.createLink({ payment_endpoint: `${elsewhere.origin}/tunnel/mine` })
  await sandbox.control('POST', '/links/1001/pay')

  expect(elsewhere.received[0]!.rawHeaders).not.toContain('sandbox-delivery')
  const { answer } = await sandbox.control('GET', '/events?type=tunnel.captured')
  expect(answer.events).toMatchObject([{ tunnel: 'mine', capturedDeliveryId: null }])
})

test('a delivery header is trusted only while this delivery is sent to this URL', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')

  for (const id of ['1', '999', 'x']) {
    const headers = { 'sandbox-delivery': id }
    await fetch(`${sandbox.url}/tunnel/elsewhere`, { method: 'POST', headers })
  }
  const { answer } = await sandbox.control('GET', '/events?type=tunnel.captured&limit=3')
  expect(answer.events).toMatchObject([
    { capturedDeliveryId: null },
    { capturedDeliveryId: null },
    { capturedDeliveryId: null },
  ])
})

const elsewhere = Object.values(networkInterfaces())
  .flatMap((all = []) => all)
  .find(({ internal, family }) => !internal && family === 'IPv4')

test.runIf(elsewhere).each([
  ['every address', '0.0.0.0'],
  ['the second address', elsewhere?.address ?? ''],
])(
  'a webhook to a tunnel at an address of the machine is linked to its payment if the sandbox listens on %s',
  async (_what, host) => {
    await using sandbox = await openSandbox({ host, adminToken: 'admin-secret' })
    const headers = { authorization: 'Bearer admin-secret' }
    const { port } = new URL(sandbox.url)
    const url = `http://${elsewhere!.address}:${port}`
    await sandbox.createLink({ payment_endpoint: `${url}/tunnel/mine` })
    const control = `${sandbox.url}/_sandbox/v1`
    const paid = await fetch(`${control}/links/1001/pay`, { method: 'POST', headers })
    const { deliveries } = (await paid.json()) as { deliveries: { id: number; state: string }[] }

    const captured = await fetch(`${control}/events?type=tunnel.captured`, { headers })
    expect(await captured.json()).toMatchObject({
      events: [{ payId: 1001, capturedDeliveryId: deliveries[0]!.id }],
    })
    expect(deliveries[0]).toMatchObject({ state: 'delivered' })
    expect(sandbox.urlsForOthers).toContain(url)
  },
)

test('other machines cannot reach a sandbox that listens only on this machine', async ({ sandbox }) => {
  expect(sandbox.urlsForOthers).toEqual([])
})
