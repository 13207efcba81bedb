import { expect } from 'vitest'
import { createEgressPolicy } from '../../../server/service/egress/egress-policy.ts'
import { matchesHost } from '../../../server/domain/network/allowed-host.ts'
import { openSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const verdictOn = async (url: string, hosts: string[] = [], isAllowedOnce = false) =>
  (await createEgressPolicy(async () => hosts)(new URL(url), { isAllowedOnce, isForged: false })).verdict

test.each([
  'http://127.0.0.1:3000/hook',
  'http://127.9.9.9',
  'http://2130706433/',
  'http://0.0.0.0:3000',
  'http://localhost:3000',
  'http://shop.localhost:3000',
  'http://[::1]:3000',
  'http://[::ffff:127.0.0.1]',
  'http://10.1.2.3',
  'http://172.31.255.255',
  'http://192.168.178.20',
  'http://[fd12:3456::1]',
  'http://host.docker.internal:3000',
])('a webhook to %s is sent without asking', async (url) => {
  expect(await verdictOn(url)).toBe('send')
})

test.each([
  'https://93.184.216.34/hook',
  'http://172.32.0.1',
  'http://100.64.0.1',
  'http://[2606:2800:220:1::1]',
  'http://[::ffff:93.184.216.34]',
  'https://shop.invalid/hook',
])('a webhook to %s is held, until it or its host is allowed', async (url) => {
  expect(await verdictOn(url)).toBe('hold')
  expect(await verdictOn(url, [], true)).toBe('send')
  expect(await verdictOn(url, [new URL(url).hostname.replace(/^\[|\]$/g, '')])).toBe('send')
})

test.each<[pattern: string, host: string, matches: boolean]>([
  ['shop.example.com', 'shop.example.com', true],
  ['shop.example.com', 'evilshop.example.com', false],
  ['*.example.com', 'shop.example.com', true],
  ['*.example.com', 'a.b.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'evil-example.com', false],
])('the pattern %s matches the host %s: %s', (pattern, host, matches) => {
  expect(matchesHost(pattern, host)).toBe(matches)
})

test('a webhook to a public host is held and listed, and sent only once someone allows it', async () => {
  await using sandbox = await openSandbox()
  const { id } = await sandbox.createLink({ payment_endpoint: 'https://shop.invalid/hook' })
  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)

  const heldReason = expect.stringContaining(
    'Allow this delivery once, allow the host (--allow-host shop.invalid), or map https://shop.invalid',
  )
  expect(answer.deliveries).toMatchObject([{ state: 'held', heldReason, attempts: [] }])
  const { answer: listed } = await sandbox.control('GET', '/events?type=delivery.held')
  expect(listed.events).toMatchObject([{ host: 'shop.invalid', hostScope: 'public' }])

  const allowed = await sandbox.control('POST', '/deliveries/1/allow')
  expect(allowed.answer).toMatchObject({
    state: 'failed',
    attempts: [{ status: null, error: 'host shop.invalid is unknown' }],
  })
  const again = await sandbox.rawControl('POST', '/deliveries/1/allow')
  expect([again.status, again.answer.detail]).toEqual([
    409,
    expect.stringMatching(
      /^The delivery is failed, and only a held delivery can be allowed\. POST \/_sandbox\/v1\/deliveries\/\d+\/replay sends it again$/,
    ),
  ])
})

test('a webhook that was allowed once is held again if a map changes its host before the next attempt', async () => {
  await using sandbox = await openSandbox({ behaviors: { retries: '5s,5s' }, clock: '2026-06-01T00:00:00Z' })
  await sandbox.control('PUT', '/clock', { now: '2026-06-01T00:00:00Z', mode: 'frozen' })
  const { id } = await sandbox.createLink({ payment_endpoint: 'https://staging.invalid/hook' })
  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  const delivery = `/deliveries/${answer.deliveries[0]!.id}` as const
  const stateOf = async () => (await sandbox.control('GET', delivery)).answer.state
  await sandbox.control('POST', `${delivery}/allow`)
  await sandbox.control('POST', '/clock/advance', { seconds: 5 })
  expect((await sandbox.control('GET', delivery)).answer.attempts).toHaveLength(2)

  await sandbox.control('PUT', '/maps', {
    maps: [{ from: 'https://staging.invalid', to: 'https://production.invalid' }],
  })
  await sandbox.control('POST', '/clock/advance', { seconds: 5 })
  expect(await stateOf()).toBe('held')
  await sandbox.control('POST', `${delivery}/allow`)
  expect(await stateOf()).toBe('failed')
})

test('links and startup maps can name a tunnel of this sandbox by its public URL', async () => {
  await using sandbox = await openSandbox({
    publicUrl: 'https://pay.invalid',
    maps: { 'https://shop.invalid': 'https://pay.invalid/tunnel/mapped' },
  })
  const { id } = await sandbox.createLink({
    payment_endpoint: 'https://pay.invalid/tunnel/named/hook,https://shop.invalid/hook',
  })
  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  expect(answer.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  const captured = await sandbox.control('GET', '/events?type=tunnel.captured')
  expect(captured.answer.events).toMatchObject([
    { tunnel: expect.stringMatching(/named|mapped/), capturedDeliveryId: expect.any(Number) },
    { tunnel: expect.stringMatching(/named|mapped/), capturedDeliveryId: expect.any(Number) },
  ])
})

test('a held webhook does not delay webhooks to other targets', async ({ receiver, sandbox }) => {
  const { id } = await sandbox.createLink({ payment_endpoint: `https://shop.invalid/hook,${receiver.url}` })

  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  expect(answer.deliveries.map(({ state }) => state)).toEqual(['held', 'delivered'])
})

test('a metadata address fails at once, allowed or not', async ({ sandbox }) => {
  const { id } = await sandbox.createLink({ payment_endpoint: 'http://169.254.169.254/latest' })

  const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
  expect(answer.deliveries).toMatchObject([
    {
      state: 'failed',
      attempts: [{ status: null, error: expect.stringContaining('nothing is ever sent there') }],
    },
  ])
})
