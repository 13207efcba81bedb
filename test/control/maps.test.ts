import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, shop, type OpenSandbox, type PaymentResult } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const SHOP = 'https://shop.invalid'
const HOOK = `${SHOP}/hook?from=paylink`

const map = (sandbox: OpenSandbox, to: string, from = SHOP) =>
  sandbox.control('PATCH', '/maps', { add: [{ from, to }] })

async function payTo(sandbox: OpenSandbox, extra: object): Promise<PaymentResult> {
  const { id } = await sandbox.createLink({ ...extra })
  return (await sandbox.control('POST', `/links/${id}/pay`)).answer
}

describe('URL maps and webhooks', () => {
  test.for(['form', 'json'] as const)(
    'a webhook to a mapped origin goes to the new origin, byte for byte the same as %s',
    async (encoding, { receiver }) => {
      await using sandbox = await openSandbox({ behaviors: { webhookEncoding: encoding } })
      await map(sandbox, receiver.origin)
      const { deliveries } = await payTo(sandbox, { payment_endpoint: `${HOOK},${receiver.url}` })

      await receiver.count(2)
      const [mapped, straight] = ['/hook?from=paylink', '/webhook'].map((path) =>
        receiver.received.find((one) => one.path === path)!,
      )
      expect(mapped!.body).toBe(straight!.body)
      expect(mapped!.contentType).toBe(straight!.contentType)
      expect(mapped!.rawHeaders).toContain(new URL(receiver.origin).host)
      expect(deliveries).toMatchObject([
        {
          target: HOOK,
          mappedTo: `${receiver.origin}/hook?from=paylink`,
          state: 'delivered',
          attempts: [{ mappedTo: `${receiver.origin}/hook?from=paylink`, status: 200 }],
        },
        { target: receiver.url, state: 'delivered' },
      ])
      expect(deliveries[1]).not.toHaveProperty('mappedTo')
      const attempted = await sandbox.control('GET', '/events?type=delivery.attempted')
      expect(attempted.answer.events).toContainEqual(
        expect.objectContaining({ target: HOOK, mappedTo: `${receiver.origin}/hook?from=paylink` }),
      )
    },
  )

  test('a mapped webhook keeps its own path after the path of the map', async ({ receiver }) => {
    await using sandbox = await openSandbox({ maps: { 'https://*.invalid': `${receiver.origin}/shop/` } })
    await payTo(sandbox, { payment_endpoint: HOOK })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/shop/hook?from=paylink'])
  })

  test("a webhook that is mapped to a tunnel is captured, and marked as the sandbox's own", async ({
    sandbox,
  }) => {
    expect((await map(sandbox, `${sandbox.url}/tunnel/mapped`)).answer.maps).toMatchObject([
      { from: SHOP, to: `${sandbox.url}/tunnel/mapped`, source: 'sandbox' },
    ])
    const { deliveries } = await payTo(sandbox, { payment_endpoint: HOOK })
    const { answer } = await sandbox.control('GET', '/events?type=tunnel.captured')
    expect(answer.events).toMatchObject([
      { path: '/tunnel/mapped/hook?from=paylink', capturedDeliveryId: deliveries[0]!.id },
    ])
  })

  test('the mapped address decides whether a webhook is held (a public host) or never sent (a metadata service)', async () => {
    const lookup = async (host: string) =>
      host === 'metadata.invalid' ? [{ address: '169.254.169.254', family: 4 }] : []
    await using sandbox = await openSandbox({ allowedHosts: ['shop.invalid'], lookup })
    const { answer } = await map(sandbox, 'https://staging.invalid')
    expect(answer.maps).toMatchObject([
      {
        heldReason:
          'staging.invalid is not on this machine or a private network. Allow the host (--allow-host staging.invalid), or map https://shop.invalid elsewhere',
      },
    ])
    expect((await payTo(sandbox, { payment_endpoint: HOOK })).deliveries).toMatchObject([
      {
        state: 'held',
        mappedTo: 'https://staging.invalid/hook?from=paylink',
        heldReason: expect.stringContaining('or map https://shop.invalid elsewhere'),
      },
    ])

    await map(sandbox, 'http://metadata.invalid')
    await sandbox.settled()
    expect((await sandbox.control('GET', '/deliveries/1')).answer).toMatchObject({
      state: 'failed',
      attempts: [{ error: expect.stringContaining('nothing is ever sent there') }],
    })
  })

  test('a new map sends the held webhooks of its origin, the oldest first, and others stay held', async ({
    receiver,
    sandbox,
  }) => {
    for (const path of ['1', '2', '3']) {
      const { deliveries } = await payTo(sandbox, { payment_endpoint: `${SHOP}/${path}` })
      expect(deliveries).toMatchObject([{ state: 'held' }])
    }
    await payTo(sandbox, { payment_endpoint: 'https://other.invalid/hook' })

    expect((await map(sandbox, receiver.origin)).answer.allowed).toBe(3)
    await sandbox.settled()
    expect(receiver.received).toHaveLength(3)
    const { answer } = await sandbox.control('GET', '/deliveries?state=held')
    expect(answer.deliveries.map(({ target }) => target)).toEqual(['https://other.invalid/hook'])
  })

  test('a held webhook is held again if the mapped address is not allowed', async ({ receiver, sandbox }) => {
    for (const path of ['1', '2']) await payTo(sandbox, { payment_endpoint: `${SHOP}/${path}` })
    await payTo(sandbox, { payment_endpoint: 'https://other.invalid/' })

    expect((await map(sandbox, 'https://staging.invalid')).answer.allowed).toBe(0)
    await sandbox.settled()
    const add = [
      { from: SHOP, to: 'https://elsewhere.invalid' },
      { from: 'https://other.invalid', to: receiver.origin },
    ]
    expect((await sandbox.control('PATCH', '/maps', { add })).answer.allowed).toBe(1)
    await sandbox.settled()
    const allow = { add: ['elsewhere.invalid'] }
    expect((await sandbox.control('PATCH', '/allowed-hosts', allow)).answer.allowed).toBe(2)
  })

  test('each attempt of a webhook uses the map of that time', async () => {
    await using first = await startReceiver((_received, response) => response.writeHead(500).end())
    await using second = await startReceiver()
    await using sandbox = await openSandbox({ behaviors: { retries: '5s' } })
    await sandbox.control('PUT', '/clock', { now: '2027-01-01T00:00:00Z', mode: 'frozen' })
    await map(sandbox, first.origin)
    await payTo(sandbox, { payment_endpoint: HOOK })

    await map(sandbox, second.origin)
    await sandbox.control('POST', '/clock/advance', { seconds: 5 })
    expect((await sandbox.control('GET', '/deliveries/1')).answer).toMatchObject({
      state: 'delivered',
      mappedTo: `${second.origin}/hook?from=paylink`,
      attempts: [
        { mappedTo: `${first.origin}/hook?from=paylink`, status: 500 },
        { mappedTo: `${second.origin}/hook?from=paylink`, status: 200 },
      ],
    })
  })

  test('a replayed or forged webhook goes to the mapped address, but a forged one never to a public address', async ({
    receiver,
  }) => {
    await using sandbox = await openSandbox({ maps: { [SHOP]: receiver.origin } })
    await payTo(sandbox, { payment_endpoint: HOOK })
    await sandbox.control('POST', '/deliveries/1/replay')
    await sandbox.control('POST', '/deliveries/1/replay', { to: `${SHOP}/other` })
    await sandbox.control('POST', '/links/1001/forged-webhook', { forgery: 'amount' })
    expect(receiver.received.map(({ path }) => path.split('?')[0])).toEqual([
      '/hook',
      '/hook',
      '/other',
      '/hook',
    ])
    await sandbox.control('PATCH', '/maps', { remove: [SHOP] })
    const { answer } = await sandbox.control('POST', '/links/1001/forged-webhook')
    expect(answer.deliveries).toMatchObject([{ state: 'failed' }])
  })
})

test('the webhooks of a receiver check use the map, but its other requests do not, and public targets are refused', async ({
  receiver,
}) => {
  await using sandbox = await openSandbox({ maps: { [SHOP]: receiver.origin } })
  const reach = async (mapped: string) =>
    (await sandbox.control('GET', `/checks/reach?url=${SHOP}&mapped=${mapped}`)).answer.heldReason
  expect(await reach('true')).toBe(null)
  expect(await reach('false')).toContain('shop.invalid is not on this machine')

  const wish = { url: `${SHOP}/hook`, only: ['json'] }
  const { answer } = await sandbox.control('POST', '/checks/receiver', wish)
  expect(answer).toMatchObject({ passed: 1 })
  expect(receiver.received.map(({ path }) => path)).toContain('/hook')
  const { answer: told } = await sandbox.control('GET', '/events?type=check.sent')
  expect(told.events[0]).toMatchObject({ target: `${SHOP}/hook`, mappedTo: `${receiver.origin}/hook` })

  const refused = await sandbox.rawControl('POST', '/checks/receiver', {
    ...wish,
    stateUrl: `${SHOP}/state/{id}`,
  })
  expect([refused.status, refused.answer.detail]).toEqual([
    422,
    expect.stringContaining(`sent to ${SHOP}/state`),
  ])
})

describe('URL maps and redirects', () => {
  test.for(['together', 'webhook-first', 'redirect-first'] as const)(
    'a redirect to a mapped origin goes to the new origin, %s',
    async (order, { receiver }) => {
      await using sandbox = await openSandbox({ behaviors: { order }, maps: { [SHOP]: receiver.origin } })
      const link = await sandbox.createLink({ callback_url: `${SHOP}/thanks?order=7` })
      const response = await sandbox.submit(link.pay_link, { outcome: 'pay' })

      const location = `${receiver.origin}/thanks?order=7&pay_id=1001&status=Success`
      expect([response.status, response.headers.get('location')]).toEqual([302, location])
      await sandbox.settled()
      const { answer } = await sandbox.control('GET', '/events?type=redirect.sent')
      const mappedFrom = `${SHOP}/thanks?order=7&pay_id=1001&status=Success`
      expect(answer.events).toMatchObject([{ location, mappedFrom }])
    },
  )

  test('both addresses of a mapped redirect are shown on the checkout pages, on the link and in the answer of pay', async () => {
    await using sandbox = await openSandbox({ maps: { [SHOP]: 'http://localhost:3000' } })
    const { id, pay_link } = await sandbox.createLink({
      callback_url: `${SHOP}/thanks`,
      payment_endpoint: HOOK,
    })
    expect((await sandbox.control('GET', `/links/${id}`)).answer).toMatchObject({
      callbackUrl: `${SHOP}/thanks`,
      callbackMappedTo: 'http://localhost:3000/thanks',
      targets: [{ url: HOOK, mappedTo: 'http://localhost:3000/hook?from=paylink' }],
    })
    const page = await (await fetch(pay_link)).text()
    expect(page).toContain('mapped to http://localhost:3000/thanks')
    expect(page).toContain('mapped to http://localhost:3000/hook')
    const { answer } = await sandbox.control('POST', `/links/${id}/pay`, { wait: 'accepted' })
    expect(answer.redirect).toEqual({
      location: `http://localhost:3000/thanks?pay_id=1001&status=Success`,
      mappedFrom: `${SHOP}/thanks?pay_id=1001&status=Success`,
    })
  })
})

describe('the list of URL maps', () => {
  test('maps can be changed one by one or all at once, and simultaneous changes are all kept', async () => {
    await using sandbox = await startSandbox()
    const origins = Array.from({ length: 20 }, (_, index) => `https://shop-${index}.example`)
    await Promise.all(origins.map((origin) => sandbox.maps.add(origin, 'http://localhost:3000')))
    expect((await sandbox.maps.list()).map(({ from }) => from).toSorted()).toEqual(origins.toSorted())

    await sandbox.maps.add(`${origins[0]}:443/`, 'http://localhost:4000/')
    expect(await sandbox.maps.list()).toContainEqual({
      from: origins[0],
      to: 'http://localhost:4000',
      source: 'sandbox',
      heldReason: null,
    })
    await sandbox.maps.remove(origins[1]!)
    expect(await sandbox.maps.list()).toHaveLength(19)
    expect(await sandbox.maps.replace(await sandbox.maps.list())).toHaveLength(19)
    expect(await sandbox.maps.replace([])).toEqual([])
  })

  test('startup maps return after a reset and a restart, and other maps stay until a reset', async ({
    folder,
  }) => {
    const options = { db: join(folder.path, 'sandbox.db'), maps: { [SHOP]: 'http://localhost:3000' } }
    const other = { from: 'https://other.invalid', to: 'http://localhost:4000' }
    {
      await using sandbox = await startSandbox(options)
      await sandbox.maps.replace([other, { from: SHOP, to: 'http://localhost:5000' }])
    }
    {
      await using sandbox = await startSandbox({ db: options.db })
      expect(await sandbox.maps.list()).toMatchObject([
        { ...other, source: 'sandbox' },
        { from: SHOP, to: 'http://localhost:5000', source: 'sandbox' },
      ])
    }
    await using sandbox = await startSandbox(options)
    expect(await sandbox.maps.list()).toMatchObject([
      { ...other, source: 'sandbox' },
      { from: SHOP, to: 'http://localhost:3000', source: 'start' },
    ])
    await sandbox.snapshot('mapped')
    await sandbox.reset()
    expect(await sandbox.maps.list()).toMatchObject([{ from: SHOP, source: 'start' }])
    await sandbox.restore('mapped')
    expect(await sandbox.maps.list()).toHaveLength(2)
  })

  test.for<[body: object, detail: string]>([
    [
      { maps: [{ from: 'shop.example', to: 'http://localhost' }] },
      'maps.0.from in the body is "shop.example". It should be an origin',
    ],
    [
      { maps: [{ from: 'https://shop.example', to: 'localhost:3' }] },
      'maps.0.to in the body is "localhost:3". It should be an address',
    ],
    [{ maps: [{ from: 'https://shop.example' }] }, 'maps.0.to in the body should'],
    [
      {
        maps: [
          { from: 'https://shop.example', to: 'http://localhost:1' },
          { from: 'https://shop.example:443', to: 'http://localhost:2' },
        ],
      },
      'maps.1.from in the body is "https://shop.example:443". It is mapped by an earlier map',
    ],
    [{ map: [] }, 'maps in the body should be a list of { from, to }'],
  ])(
    'the maps %j are refused, and each mistake is named by its position',
    async ([body, detail], { sandbox }) => {
      const { status, answer } = await sandbox.rawControl('PUT', '/maps', body)
      expect([status, answer.detail]).toEqual([400, expect.stringContaining(detail)])
    },
  )
})

test.for(['/tunnel/Bad_Name', '/tunnel/', '/tunnel/a%20b'])(
  'a map and an account refuse the invalid tunnel %s',
  async (path, { sandbox }) => {
    const account = `/accounts/${shop.id}` as const
    const to = [path, sandbox.url + path]
    const answers = [
      ...(await Promise.all(to.map((one) => map(sandbox, one)))),
      ...(await Promise.all(to.map((one) => sandbox.control('PATCH', account, { paymentEndpoint: one })))),
      await sandbox.control('PATCH', account, { webhookUrls: [sandbox.url + path] }),
    ]
    for (const { status, answer } of answers) {
      expect([status, answer]).toEqual([
        400,
        expect.objectContaining({
          detail: expect.stringContaining('should have a tunnel name of up to 63 lower-case letters'),
        }),
      ])
    }
  },
)

test('a map to its own origin, to a metadata address or of the sandbox itself is refused, and almost correct maps are explained', async ({
  sandbox,
}) => {
  for (const [from, to, says] of [
    [SHOP, SHOP, 'would be mapped onto itself'],
    [SHOP, `${SHOP}/hooks`, 'would be mapped onto itself'],
    [SHOP, 'http://169.254.169.254/', `nothing is ever sent there. Map ${SHOP} to the address of your app.`],
    [SHOP, 'http://0xa9fea9fe', 'nothing is ever sent there'],
    [SHOP, 'http://2852039166:8080/x', 'nothing is ever sent there'],
    [SHOP, 'http://[::ffff:169.254.169.254]', 'nothing is ever sent there'],
    [SHOP, 'http://metadata.google.internal./', 'nothing is ever sent there'],
    [sandbox.url, 'http://localhost:3000', 'is this sandbox'],
  ] as const) {
    expect(await map(sandbox, to, from)).toMatchObject({
      status: 400,
      answer: { detail: expect.stringContaining(says) },
    })
  }
  await map(sandbox, 'http://localhost:3000', 'http://shop.invalid')
  expect((await payTo(sandbox, { payment_endpoint: HOOK })).deliveries).toMatchObject([
    {
      heldReason: expect.stringMatching(
        /map https:\/\/shop\.invalid: the map of http:\/\/shop\.invalid is not for it$/,
      ),
    },
  ])
})

test.each([
  ['itself', SHOP, `${SHOP}/`],
  ['itself with a path', SHOP, `${SHOP}/x`],
  ['the sandbox', 'http://localhost:4471', 'http://localhost:3000'],
  ['the public URL of the sandbox', 'https://pay.example', 'http://localhost:3000'],
])('a map of %s is also refused at startup', async (_what, from, to) => {
  await expect(
    startSandbox({ port: 4471, publicUrl: 'https://pay.example', maps: { [from]: to } }),
  ).rejects.toThrow(/^maps cannot be .*: .* Give the origin that the configuration of your app contains\.$/)
})

test('a map to a cloud metadata address is also refused at startup', async () => {
  await expect(startSandbox({ maps: { [SHOP]: 'http://0251.0376.0251.0376' } })).rejects.toThrow(
    /^maps cannot be .*: 169\.254\.169\.254 is a .*, nothing is ever sent there\. Map https:\/\/shop\.invalid to the address/,
  )
})

test('removing an unknown map changes nothing, and the answer reports it', async ({ sandbox }) => {
  await map(sandbox, 'http://localhost:3000')
  const remove = (from: string) => sandbox.control('PATCH', '/maps', { remove: [from] })
  expect(await remove('https://shp.invalid')).toMatchObject({
    status: 200,
    answer: { notes: [`No map was for https://shp.invalid. Did you mean ${SHOP}?`] },
  })
  expect((await remove(SHOP)).answer).toMatchObject({ maps: [], notes: [] })
  expect((await remove(SHOP)).answer).toMatchObject({ maps: [], notes: [`No map was for ${SHOP}.`] })
})

test('each host name of many maps is looked up once, a few at a time', async () => {
  const looked: string[] = []
  let most = 0
  let underway = 0
  const lookup = async (host: string) => {
    looked.push(host)
    most = Math.max(most, ++underway)
    await new Promise(setImmediate)
    underway -= 1
    return []
  }
  await using sandbox = await openSandbox({ lookup })
  const add = Array.from({ length: 200 }, (_, index) => ({
    from: `https://shop-${index}.example`,
    to: `https://staging-${index % 50}.example:${3000 + index}/hooks`,
  }))
  await sandbox.control('PUT', '/maps', { maps: add })
  expect([looked.length, new Set(looked).size, most]).toEqual([50, 50, 8])
})

test.for<[method: string, path: string, body: unknown, says: string]>([
  ['PUT', '/maps', [], 'The body should be an object'],
  ['POST', '/targets/preview', {}, 'account in the body should be text'],
  ['POST', '/deliveries/allow', {}, 'host in the body should be a host like'],
  [
    'POST',
    '/deliveries/allow',
    { host: 'https://shop.example' },
    'host in the body is "https://shop.example". It should be a host like',
  ],
  ['PUT', '/tunnels/x/answer', { status: 999 }, 'status in the body is 999. It should be at most 599'],
  ['PUT', '/tunnels/x/answer', { headers: [['a']] }, 'should be a name and a value'],
  ['PUT', '/allowed-hosts', { allowedHosts: ['169.254.169.254'] }, 'nothing is ever sent there.'],
  ['PATCH', '/allowed-hosts', { add: ['metadata.google.internal'] }, 'nothing is ever sent there.'],
])('%s %s refuses %j in plain words', async ([method, path, body, says], { sandbox }) => {
  const { status, answer } = await sandbox.rawControl(method, path, body as object)
  expect([status, answer.detail]).toEqual([400, expect.stringContaining(says)])
})
