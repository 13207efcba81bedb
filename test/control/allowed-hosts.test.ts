import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'
import { readStartOptions } from '../../server/runtime/config/read-options.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const hold = async (sandbox: OpenSandbox, ...targets: readonly string[]): Promise<void> => {
  for (const target of targets) {
    const { id } = await sandbox.createLink({ payment_endpoint: target })
    await sandbox.control('POST', `/links/${id}/pay`)
  }
}

const states = async (sandbox: OpenSandbox) => {
  await sandbox.settled()
  const { answer } = await sandbox.control('GET', '/deliveries')
  return Object.fromEntries(answer.deliveries.map(({ target, state }) => [target, state]))
}

test('once a host is allowed, only its held webhooks are sent, oldest first', async () => {
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 50 })
  await hold(sandbox, 'https://a.shop.invalid/1', 'https://a.shop.invalid/1', 'https://b.invalid/')

  const { answer } = await sandbox.control('PATCH', '/allowed-hosts', { add: ['*.Shop.invalid'] })
  expect(answer).toEqual({ allowedHosts: ['*.shop.invalid'], allowed: 2, notes: [] })
  expect(await states(sandbox)).toEqual({
    'https://a.shop.invalid/1': 'failed',
    'https://b.invalid/': 'held',
  })
  const { answer: told } = await sandbox.control(
    'GET',
    '/events?type=hosts.changed,delivery.allowed,delivery.attempted',
  )
  expect(
    told.events.map((event) => [event.type, 'deliveryId' in event ? event.deliveryId : undefined]),
  ).toEqual([
    ['hosts.changed', undefined],
    ['delivery.allowed', 1],
    ['delivery.allowed', 2],
    ['delivery.attempted', 1],
    ['delivery.attempted', 2],
  ])
  await hold(sandbox, 'https://a.shop.invalid/2')
  expect((await states(sandbox))['https://a.shop.invalid/2']).toBe('failed')

  expect((await sandbox.control('PUT', '/allowed-hosts', { allowedHosts: [] })).answer.allowed).toBe(0)
  await hold(sandbox, 'https://a.shop.invalid/3')
  expect((await states(sandbox))['https://a.shop.invalid/3']).toBe('held')
})

test('the held webhooks of a host can be sent once, and the next webhook is held again', async () => {
  await using sandbox = await startSandbox({ deliveryTimeoutMs: 50 })
  const shop = await sandbox.createAccount({ paymentEndpoint: 'https://shop.invalid/hook' })
  const other = await sandbox.createAccount({ paymentEndpoint: 'https://shop.invalid/hook' })
  for (const account of [shop, shop, other]) await account.pay(await account.createLink({ amount: 1 }))

  expect(await shop.allowAll('SHOP.invalid')).toBe(2)
  expect(await sandbox.allowAll('shop.invalid')).toBe(1)
  await sandbox.settled()
  expect(await sandbox.deliveries({ state: 'failed' })).toHaveLength(3)
  const { deliveries } = await shop.pay(await shop.createLink({ amount: 1 }))
  expect(deliveries).toMatchObject([{ state: 'held' }])
})

test("allowed hosts survive a restart, and are not restored from another sandbox's snapshot", async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  {
    await using sandbox = await startSandbox({ db, allowedHosts: ['START.example'] })
    expect(await sandbox.allowedHosts.add('staging.example')).toBe(0)
    expect(await sandbox.allowedHosts.list()).toEqual(['start.example', 'staging.example'])
    await sandbox.snapshot('generous')
  }
  await using sandbox = await startSandbox({ db })
  expect(await sandbox.allowedHosts.list()).toEqual(['staging.example'])
  await sandbox.allowedHosts.remove('staging.example')
  await sandbox.restore('generous')
  expect(await sandbox.allowedHosts.list()).toEqual([])
})

test.for([
  ['169.254.169.254', '169.254.169.254'],
  ['169.254.169.254.', '169.254.169.254'],
  ['0xA9FEA9FE', '169.254.169.254'],
  ['2852039166', '169.254.169.254'],
  ['0251.0376.0251.0376', '169.254.169.254'],
  ['100.100.100.200', '100.100.100.200'],
  ['[fd00:ec2::254]', 'fd00:ec2::254'],
  ['::ffff:169.254.169.254', '::ffff:a9fe:a9fe'],
  ['64:ff9b::a9fe:a9fe', '64:ff9b::a9fe:a9fe'],
  ['fe80::1', 'fe80::1'],
  ['Metadata.Google.internal', 'metadata.google.internal'],
  ['255.255.255.255', '255.255.255.255'],
] as const)(
  'the host %s can be allowed neither at startup nor later, and the error says why',
  async ([host, read], { sandbox }) => {
    const why = `${read} is a link-local, cloud metadata or broadcast address, nothing is ever sent there.`
    for (const [method, key] of [
      ['PUT', 'allowedHosts'],
      ['PATCH', 'add'],
    ] as const) {
      const { status, answer } = await sandbox.rawControl(method, '/allowed-hosts', { [key]: [host] })
      expect([status, answer.detail]).toEqual([400, why])
    }
    await expect(startSandbox({ allowedHosts: ['shop.example', host] })).rejects.toThrow(
      `allowedHosts cannot be ${read}: `,
    )
    await expect(readStartOptions({ 'allow-host': [host] }, { env: {} })).rejects.toThrow(why)
    await expect(readStartOptions({}, { env: { PAYLINK_ALLOW_HOST: host } })).rejects.toThrow(why)
  },
)

test('a host can be allowed in any notation of its address', async () => {
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 50 })
  const targets = ['https://[2001:db8::5]/', 'http://198.51.100.7/', 'https://xn--mnchen-3ya.invalid/']
  await hold(sandbox, ...targets)
  expect(Object.values(await states(sandbox))).toEqual(['held', 'held', 'held'])

  const add = ['[2001:DB8:0::5]', '0xc6336407', 'München.invalid.']
  const { answer } = await sandbox.control('PATCH', '/allowed-hosts', { add })
  expect(answer.allowedHosts).toEqual(['2001:db8::5', '198.51.100.7', 'xn--mnchen-3ya.invalid'])
  expect(Object.values(await states(sandbox))).toEqual(['failed', 'failed', 'failed'])
  await sandbox.control('POST', '/snapshots', { name: 'allowed' })
  expect((await sandbox.control('POST', '/snapshots/allowed/restore')).status).toBe(200)
})

test('a metadata address is never contacted, even if it is allowed', async () => {
  await using sandbox = await openSandbox({
    allowedHosts: ['metadata.test'],
    lookup: async () => [{ address: '169.254.169.254', family: 4 }],
  })
  await hold(sandbox, 'http://metadata.test/')
  expect(await states(sandbox)).toEqual({ 'http://metadata.test/': 'failed' })
  expect((await sandbox.control('POST', '/deliveries/allow', { host: 'metadata.test' })).answer).toEqual({
    allowed: 0,
    notes: ['Nothing is held for metadata.test.'],
  })
})

test.for([
  'http://shop.example',
  'shop.example:443',
  '*',
  '*.*.example',
  '*.254',
  'a..b',
  '1.2.3.400',
  'a b',
  '',
])('the host %j is refused, and the error names its position', async (host, { sandbox }) => {
  const { status, answer } = await sandbox.rawControl('PUT', '/allowed-hosts', {
    allowedHosts: ['ok.example', host],
  })
  expect([status, answer.detail]).toEqual([
    400,
    expect.stringContaining(
      `allowedHosts.1 in the body is "${host}". It should be a host name like shop.example`,
    ),
  ])
})

test('the error about an unknown host, or a host without held webhooks, suggests the most similar host', async () => {
  await using sandbox = await openSandbox({ allowedHosts: ['shop.example'] })
  const { id } = await sandbox.createLink({ payment_endpoint: 'https://held.invalid/hook' })
  await sandbox.control('POST', `/links/${id}/pay`)

  const remove = () => sandbox.control('PATCH', '/allowed-hosts', { remove: ['shp.example'] })
  const notes = ['shp.example was not allowed. Did you mean shop.example?']
  expect(await remove()).toMatchObject({ status: 200, answer: { allowedHosts: ['shop.example'], notes } })

  const allow = async (host: string) => (await sandbox.control('POST', '/deliveries/allow', { host })).answer
  expect(await allow('hled.invalid')).toEqual({
    allowed: 0,
    notes: ['Nothing is held for hled.invalid. Did you mean held.invalid?'],
  })
  expect(await allow('held.invalid')).toEqual({ allowed: 1, notes: [] })
})

test('allowing a public suffix is accepted with a warning', async ({ sandbox }) => {
  const add = ['*.com', '*.co.uk', '*.shop.example', '*.shop.co.uk', '*.internal', '*.me.example']
  const { status, answer } = await sandbox.control('PATCH', '/allowed-hosts', { add })
  expect([status, answer.notes]).toEqual([
    200,
    [
      '*.com allows every host below .com, including those of strangers. Use a domain of your own.',
      '*.co.uk allows every host below .co.uk, including those of strangers. Use a domain of your own.',
    ],
  ])
  for (const all of ['*', '*.', '*.*']) {
    expect((await sandbox.control('PATCH', '/allowed-hosts', { add: [all] })).status).toBe(400)
  }
})
