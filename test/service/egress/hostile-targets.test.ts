import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { createRestrictedFetch } from '../../../server/service/egress/restricted-fetch.ts'
import { createEgressPolicy } from '../../../server/service/egress/egress-policy.ts'
import { createPost } from '../../../server/service/egress/post.ts'
import type { HostAddress, DnsLookup } from '../../../server/domain/network/dns.ts'
import { openSandbox, type OpenSandbox, type DeliveryJson } from '../../support/sandbox.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

const at = (address: string): HostAddress => ({ address, family: address.includes(':') ? 6 : 4 })

/** A resolver that gives one answer after another for a name, and repeats the last one. */
function resolver(answers: Record<string, readonly (readonly string[])[]>): DnsLookup {
  const asked = new Map<string, number>()
  return async (host) => {
    const known = answers[host] ?? []
    const time = asked.get(host) ?? 0
    asked.set(host, time + 1)
    return (known[Math.min(time, known.length - 1)] ?? []).map(at)
  }
}

const NEVER = [
  ['metadata', 'http://169.254.169.254/latest/meta-data'],
  ['metadata, with a dot at the end', 'http://169.254.169.254./latest'],
  ['metadata in decimal', 'http://2852039166/latest'],
  ['metadata in hexadecimal', 'http://0xA9FEA9FE/latest'],
  ['metadata in hexadecimal parts', 'http://0xa9.0xfe.0xa9.0xfe/latest'],
  ['metadata in octal', 'http://0251.0376.0251.0376/latest'],
  ['metadata in three parts', 'http://169.254.43518/latest'],
  ['metadata in two parts', 'http://169.16689662/latest'],
  ['metadata in wide digits', 'http://１６９.２５４.１６９.２５４/latest'],
  ['metadata with ideographic full stops', 'http://169。254。169。254/latest'],
  ['metadata behind escapes', 'http://%31%36%39.254.169.254/latest'],
  ['metadata behind a user name', 'http://127.0.0.1@169.254.169.254/latest'],
  ['metadata, IPv4-mapped', 'http://[::ffff:169.254.169.254]/latest'],
  ['metadata, IPv4-mapped in hexadecimal', 'http://[::FFFF:A9FE:A9FE]/latest'],
  ['metadata, IPv4-compatible', 'http://[::169.254.169.254]/latest'],
  ['metadata, IPv4-translated', 'http://[::ffff:0:169.254.169.254]/latest'],
  ['metadata by NAT64', 'http://[64:ff9b::a9fe:a9fe]/latest'],
  ['metadata by a local NAT64', 'http://[64:ff9b:1::a9fe:a9fe]/latest'],
  ['metadata by a local NAT64, in the middle', 'http://[64:ff9b:1:a9fe:a9:fe00::]/latest'],
  ['metadata by a NAT64 of a private network', 'http://[fd00:64::a9fe:a9fe]/latest'],
  ['metadata by 6to4', 'http://[2002:a9fe:a9fe::1]/latest'],
  ['metadata by Teredo', 'http://[2001:0:7f00:1:0:0:5601:5601]/latest'],
  ['metadata by a Teredo server', 'http://[2001:0:a9fe:a9fe:0:0:80ff:fffe]/latest'],
  ['metadata by ISATAP', 'http://[fd00::5efe:a9fe:a9fe]/latest'],
  ['metadata of AWS by IPv6', 'http://[fd00:ec2::254]/latest'],
  ['metadata of Google by IPv6', 'http://[fd20:ce::254]/latest'],
  ['metadata of Alibaba', 'http://100.100.100.200/latest'],
  ['metadata of Alibaba by 6to4', 'http://[2002:6464:64c8::]/latest'],
  ['metadata of Oracle', 'http://192.0.0.192/latest'],
  ['metadata of Azure', 'http://168.63.129.16/machine'],
  ['metadata of Google by name', 'http://metadata.google.internal/computeMetadata'],
  ['metadata of Google by a shouted name with a dot', 'http://METADATA.Google.Internal./computeMetadata'],
  ['a link-local address', 'http://169.254.7.7/'],
  ['a link-local IPv6 address', 'http://[fe80::1]/'],
  ['a multicast address', 'http://224.0.0.251/'],
  ['a multicast IPv6 address', 'http://[ff02::1]/'],
  ['the broadcast address', 'http://255.255.255.255/'],
  ['the network 0', 'http://0.1.2.3/'],
  ['the unspecified address, IPv4-mapped', 'http://[::ffff:0.0.0.0]/'],
  ['the unspecified address by 6to4', 'http://[2002::1]/'],
] as const

test.each(NEVER)('nothing is ever sent to %s: %s', async (_what, url) => {
  const { hostname } = new URL(url)
  const guard = createEgressPolicy(async () => [hostname, hostname.replace(/^\[|\]$|\.$/g, '')])
  for (const isAllowedOnce of [true, false]) {
    for (const isForged of [true, false]) {
      expect(await guard(new URL(url), { isAllowedOnce, isForged })).toMatchObject({ verdict: 'never' })
    }
  }
})

test.each([
  ['a public address', 'http://93.184.216.34/'],
  ['a public address in decimal', 'http://1572395042/'],
  ['a public address, IPv4-mapped', 'http://[::ffff:93.184.216.34]/'],
  ['a public address, IPv4-compatible', 'http://[::93.184.216.34]/'],
  ['a public address by NAT64', 'http://[64:ff9b::5db8:d822]/'],
  ['a public address by a local NAT64', 'http://[64:ff9b:1::5db8:d822]/'],
  ['a public address by 6to4', 'http://[2002:5db8:d822::1]/'],
  ['a public address by Teredo', 'http://[2001:0:7f00:1:0:0:a247:27dd]/'],
  ['a public address by ISATAP', 'http://[fd00::5efe:5db8:d822]/'],
  ['a public IPv6 address', 'http://[2606:2800:220:1::1]/'],
  ['an address of a provider', 'http://100.64.0.1/'],
  ['an address that looks private', 'http://172.32.0.1/'],
])('a webhook to %s is held, and a forged one is not sent: %s', async (_what, url) => {
  const guard = createEgressPolicy(async () => [])
  expect(await guard(new URL(url))).toMatchObject({ verdict: 'hold' })
  expect(await guard(new URL(url), { isAllowedOnce: true, isForged: true })).toMatchObject({
    verdict: 'never',
  })
})

test.each([
  ['this machine, IPv4-mapped', 'http://[::ffff:127.0.0.1]/'],
  ['a private network, IPv4-compatible', 'http://[::10.1.2.3]/'],
  ['a private network by NAT64', 'http://[64:ff9b::c0a8:1]/'],
  ['a private network by a local NAT64', 'http://[64:ff9b:1::c0a8:1]/'],
  ['a private network by 6to4', 'http://[2002:a01:203::1]/'],
  ['a private network by Teredo', 'http://[2001:0:7f00:1:0:0:f5fe:fdfc]/'],
])('%s is classified by the address that it contains: %s', async (_what, url) => {
  expect(await createEgressPolicy(async () => [])(new URL(url))).toMatchObject({ verdict: 'send' })
})

test.each([
  ['http://0.0.0.0:3000', ['127.0.0.1']],
  ['http://0:3000', ['127.0.0.1']],
  ['http://[::]:3000', ['::1', '127.0.0.1']],
])('the address %s, which servers print, means this machine', async (url, addresses) => {
  const verdict = await createEgressPolicy(async () => [])(new URL(url))
  expect(verdict).toEqual({ verdict: 'send', addresses: addresses.map(at) })
})

test.each<[string, string, readonly string[], 'send' | 'hold' | 'never']>([
  ['private throughout', 'shop.test', ['10.0.0.1', 'fd12::1'], 'send'],
  ['private and public', 'shop.test', ['127.0.0.1', '93.184.216.34'], 'hold'],
  ['private and public by IPv6', 'shop.test', ['127.0.0.1', '2606:2800:220:1::1'], 'hold'],
  ['private and metadata', 'shop.test', ['127.0.0.1', '169.254.169.254'], 'never'],
  ['public and metadata', 'shop.test', ['93.184.216.34', '::ffff:169.254.169.254'], 'never'],
  ['blocked by its resolver', 'shop.test', ['0.0.0.0'], 'never'],
  ['blocked by its resolver in IPv6', 'shop.test', ['::'], 'never'],
  ['unknown', 'shop.test', [], 'hold'],
  ['nonsense', 'shop.test', ['shop'], 'never'],
  ["the container's host", 'host.docker.internal', ['192.168.65.2'], 'send'],
  ["the container's host where there is none", 'host.docker.internal', [], 'send'],
  ["the container's host, given to someone else", 'host.docker.internal', ['93.184.216.34'], 'hold'],
  ["the container's host, given to metadata", 'host.docker.internal', ['169.254.169.254'], 'never'],
  ["Podman's host", 'host.containers.internal', ['169.254.1.2'], 'send'],
  ["Podman's host by another name", 'shop.test', ['169.254.1.2'], 'never'],
])('the egress policy classifies %s (%s, %j) as %s', async (_what, host, addresses, verdict) => {
  const guard = createEgressPolicy(async () => [], resolver({ [host]: [addresses] }))
  expect(await guard(new URL(`http://${host}/`))).toMatchObject({ verdict })
})

test('a webhook to a host with public and private addresses is held, and the verdict says why', async () => {
  const guard = createEgressPolicy(
    async () => [],
    resolver({ 'shop.test': [['127.0.0.1', '93.184.216.34']] }),
  )
  expect(await guard(new URL('http://shop.test/'))).toEqual({
    verdict: 'hold',
    host: 'shop.test',
    hostScope: 'mixed',
  })
})

/** Makes a request of every kind, each to its own name below shop.test, and returns the results. */
async function tryEverything(sandbox: OpenSandbox, port: number) {
  const to = (way: string) => `http://${way}.shop.test:${port}/`
  const { id } = await sandbox.createLink({ payment_endpoint: to('outcome') })
  const paid = await sandbox.control('POST', `/links/${id}/pay`)
  const [first] = paid.answer.deliveries
  const replay = (body: Record<string, unknown>) =>
    sandbox.control('POST', `/deliveries/${first!.id}/replay`, body)
  const replayed = await replay({ to: to('replay') })
  const altered = await replay({ to: to('altered'), body: 'ResponseCode=1' })
  const link = await sandbox.createLink({ payment_endpoint: to('forged') })
  const forged = await sandbox.control('POST', `/links/${link.id}/forged-webhook`, {
    forgery: 'amount',
  })
  const ids = [first!, replayed.answer, altered.answer, ...forged.answer.deliveries].map((one) => one.id)
  const deliveries = await Promise.all(
    ids.map(async (one) => (await sandbox.control('GET', `/deliveries/${one}`)).answer),
  )

  const local = 'http://127.0.0.1:9/'
  const checks = await Promise.all([
    sandbox.rawControl('POST', '/checks/probe', { to: to('probe') }),
    sandbox.rawControl('POST', '/checks/receiver', { url: to('check') }),
    sandbox.rawControl('POST', '/checks/receiver', {
      url: local,
      orderUrl: to('order'),
      stateUrl: `${local}{note}`,
    }),
    sandbox.rawControl('POST', '/checks/receiver', { url: local, stateUrl: `${to('state')}{note}` }),
  ])
  return { deliveries, checks: checks.map(({ answer }) => String(answer.detail)) }
}

/** The attempts that sent something. An attempt that sent nothing has no headers. */
const posts = (deliveries: readonly DeliveryJson[]) =>
  deliveries.flatMap(({ attempts }) =>
    attempts.filter(({ exchange }) => exchange!.request.headers.length > 0),
  )

/** A resolver that returns one answer for each new name, and another one afterwards. */
function changingResolver(first: readonly string[], then: readonly string[]): DnsLookup {
  const known = new Set<string>()
  return async (host) => {
    const answer = known.has(host) ? then : first
    known.add(host)
    return answer.map(at)
  }
}

test.each<[what: string, addresses: string[]]>([
  ['metadata', ['169.254.169.254']],
  ['this machine and metadata', ['127.0.0.1', '169.254.169.254']],
  ['metadata by NAT64', ['64:ff9b::a9fe:a9fe']],
  ['metadata by 6to4', ['2002:a9fe:a9fe::1']],
  ['the broadcast address', ['255.255.255.255']],
  ['the unspecified address, as DNS filters answer', ['0.0.0.0']],
])(
  'nothing is sent to a host that resolves to %s, and to this machine a moment later',
  async (_w, addresses) => {
    await using trap = await startReceiver()
    await using sandbox = await openSandbox({
      allowedHosts: ['*.shop.test'],
      lookup: changingResolver(addresses, ['127.0.0.1']),
    })
    const { deliveries, checks } = await tryEverything(sandbox, trap.port)

    expect(deliveries.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed'])
    expect(posts(deliveries)).toEqual([])
    expect(checks).toEqual(
      Array.from({ length: 4 }, () => expect.stringContaining('nothing is ever sent there')),
    )
    expect([trap.received, sandbox.problems]).toEqual([[], []])
  },
)

test('every kind of request goes to the checked address, even if the host resolves to another address later', async () => {
  await using shop = await startReceiver()
  await using sandbox = await openSandbox({ lookup: changingResolver(['127.0.0.1'], ['169.254.169.254']) })
  const { deliveries, checks } = await tryEverything(sandbox, shop.port)

  expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
  expect(posts(deliveries)).toHaveLength(4)
  expect(checks[0]).toBe('undefined')
  // The four webhooks and the probe arrive. A receiver check resolves the name again before its requests, and gets the new address.
  expect(shop.received).toHaveLength(5)
})

test('requests of a receiver check go to the checked address, even if the host resolves to another address later', async () => {
  await using app = await startReceiver((_received, response) => response.end('{"status":"paid"}'))
  const check = async (lookup: DnsLookup, timeoutMs: number) => {
    await using sandbox = await openSandbox({ lookup })
    const stateUrl = `http://shop.test:${app.port}/state/{note}`
    const wish = { url: `http://127.0.0.1:${app.port}/`, stateUrl, only: ['json'], timeoutMs }
    return (await sandbox.control('POST', '/checks/receiver', wish)).answer
  }

  expect((await check(async () => [at('127.0.0.1')], 60_000)).passed).toBe(1)
  expect(new Set(app.received.map(({ path }) => path.split('/')[1]))).toEqual(new Set(['', 'state']))
  const { results } = await check(changingResolver(['127.0.0.1'], ['169.254.169.254']), 500)
  expect(results[0]!.seen).toContain('nothing is ever sent there')
})

test('the address of a host is checked again for each request', async () => {
  await using inside = await startReceiver()
  await using sandbox = await openSandbox({ lookup: changingResolver(['127.0.0.1'], ['93.184.216.34']) })
  const { id } = await sandbox.createLink({
    payment_endpoint: `http://shop.test:${inside.port}/a,http://shop.test:${inside.port}/b`,
  })

  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  expect(answer.deliveries.map(({ state }) => state).toSorted()).toEqual(['delivered', 'held'])
  expect(inside.received).toHaveLength(1)
})

test('simultaneous requests to one host each go to the address that was checked for them', async () => {
  await using one = await startReceiver()
  await using other = await startReceiver(undefined, '::1', one.port)
  const { post, close } = createPost({ timeoutMs: 5_000, userAgent: 'test' })
  const url = new URL(`http://shop.test:${one.port}/`)
  const say = (body: string) => ({ contentType: 'text/plain', body })
  const { signal } = new AbortController()

  const attempts = await Promise.all([
    post(url, [at('127.0.0.1')], say('to one'), signal),
    post(url, [at('::1')], say('to the other'), signal),
    post(url, [], say('to nobody'), signal),
  ])
  await close()

  expect(attempts.map(({ status, error }) => status ?? error)).toEqual([
    200,
    200,
    'host shop.test is unknown',
  ])
  expect(one.received.map(({ body }) => body)).toEqual(['to one'])
  expect(other.received.map(({ body }) => body)).toEqual(['to the other'])
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) of a receiver is not followed', async (status) => {
  await using trap = await startReceiver()
  for (const location of ['http://169.254.169.254/latest', trap.url]) {
    await using receiver = await startReceiver((_received, response) =>
      response.writeHead(status, { location }).end(),
    )
    await using sandbox = await openSandbox()
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })

    const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
    expect(answer.deliveries).toMatchObject([{ state: 'failed', attempts: [{ status, error: null }] }])
    expect([receiver.received.length, trap.received]).toEqual([1, []])
  }
})

/** A request that a receiver check makes to the app. */
const ask = (url: string) =>
  createRestrictedFetch({
    checkEgress: createEgressPolicy(async () => []),
    timeoutMs: 10_000,
    certificateFor: () => undefined,
  })(url, {
    signal: new AbortController().signal,
  })

test('a redirect of an app in a receiver check is not followed', async () => {
  await using trap = await startReceiver()
  await using app = await startReceiver((_received, response) =>
    response.writeHead(302, { location: trap.url }).end(),
  )

  expect(await ask(app.url)).toMatchObject({ status: 302, location: trap.url, text: '' })
  expect(trap.received).toEqual([])
})

test('a decompression bomb from an app in a receiver check is read only up to the limit', async () => {
  await using app = await startReceiver((_received, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(200 * 1024 * 1024))),
  )
  const { length } = (await ask(app.url)).text
  expect(length).toBeGreaterThan(1024 * 1024)
  expect(length).toBeLessThan(3 * 1024 * 1024)
})

test.for([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'http:localhost/hook',
  'http://localhost/hook\r\nx-evil: 1',
  '/tunnel/shop\r\n',
])('an account refuses a URL with another scheme or a line break: %j', async (url, { sandbox }) => {
  for (const list of [{ webhookUrls: [url] }, { callbackUrls: [url] }, { paymentEndpoint: url }]) {
    const { status, answer } = await sandbox.rawControl('POST', '/accounts', list)
    expect([status, answer.detail]).toEqual([400, expect.stringContaining('absolute http or https URL')])
  }
})

test.for([
  ['127.0.0.1 only', ['127.0.0.1']],
  ['::1 only', ['::1']],
  ['both', ['127.0.0.1', '::1']],
] as const)('localhost reaches a receiver that listens on %s', async ([_where, hosts], { sandbox }) => {
  const { port, ...first } = await startReceiver(undefined, hosts[0])
  await using both = hosts[1] === undefined ? null : await startReceiver(undefined, hosts[1], port)
  await using _first = first
  const { id } = await sandbox.createLink({
    payment_endpoint: `http://localhost:${port}/a,http://app.localhost:${port}/b`,
  })

  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  expect(answer.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(first.received.length).toBe(2)
  expect(both?.received ?? []).toEqual([])
})
