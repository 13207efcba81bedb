import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'vitest'
import { createFindContainerHost, parseGateway } from '../../../server/service/egress/container-host.ts'
import { createEgressPolicy } from '../../../server/service/egress/egress-policy.ts'
import type { DnsLookup } from '../../../server/domain/network/dns.ts'
import { freePort } from '../../support/free-port.ts'
import { openSandbox, type OpenSandbox, type DeliveryJson } from '../../support/sandbox.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

/** The host machine is ::1 in these tests, because every machine has it in addition to 127.0.0.1. */
const OUTSIDE = '::1'

const outsideIs =
  (address: string): DnsLookup =>
  async (host) =>
    host === 'host.docker.internal' ? [{ address, family: address.includes(':') ? 6 : 4 }] : []

const inContainer = () => openSandbox({ isInContainer: true, lookup: outsideIs(OUTSIDE) })

async function payTo(sandbox: OpenSandbox, target: string): Promise<DeliveryJson> {
  const { id } = await sandbox.createLink({ payment_endpoint: target })
  await sandbox.control('POST', `/links/${id}/pay`)
  const { answer } = await sandbox.control('GET', `/deliveries?link=${id}`)
  return (await sandbox.control('GET', `/deliveries/${answer.deliveries[0]!.id}`)).answer
}

const findingsOf = async (sandbox: OpenSandbox) =>
  (await sandbox.control('GET', '/diagnostics')).answer.diagnostics

test('a webhook that localhost refuses in a container is sent to the host machine, and both attempts are recorded', async () => {
  await using receiver = await startReceiver(undefined, OUTSIDE)
  await using sandbox = await inContainer()
  const target = `http://127.0.0.1:${receiver.port}/hook`

  const delivery = await payTo(sandbox, target)

  expect(delivery).toMatchObject({
    state: 'delivered',
    target,
    attempts: [{ status: 200, error: null, via: OUTSIDE }],
  })
  expect(receiver.received).toHaveLength(1)
  expect(receiver.received[0]!.rawHeaders).toContain(`127.0.0.1:${receiver.port}`)
  expect(await findingsOf(sandbox)).toMatchObject([
    { code: 'containerHost', severity: 'hint', seen: `it went to ${OUTSIDE}, from ${target}` },
  ])
  const probe = await sandbox.control('POST', '/checks/probe', { to: target })
  expect(probe.answer).toMatchObject({ status: 200, findings: [{ code: 'containerHost' }] })
})

test('a webhook that the host also refuses says where it was tried, and what to do', async () => {
  await using sandbox = await inContainer()
  const port = await freePort()

  const delivery = await payTo(sandbox, `http://127.0.0.1:${port}/hook`)

  expect(delivery).toMatchObject({
    state: 'failed',
    attempts: [
      {
        error: `connection refused, nothing listens on 127.0.0.1:${port} or at ::1, the machine that the container runs on`,
      },
    ],
  })
  expect(await findingsOf(sandbox)).toMatchObject([{ code: 'containerLocalhost' }])
})

test('a webhook stays in the container if a server listens there, whatever it answers', async () => {
  await using inside = await startReceiver((_received, response) => response.writeHead(500).end())
  await using outside = await startReceiver(undefined, OUTSIDE, inside.port)
  await using sandbox = await inContainer()

  expect(await payTo(sandbox, inside.url)).toMatchObject({ state: 'failed', attempts: [{ status: 500 }] })
  expect(inside.received).toHaveLength(1)
  expect(outside.received).toEqual([])
})

test('a webhook that may have arrived in the container is not sent again', async () => {
  await using outside = await startReceiver(undefined, OUTSIDE)
  const closing = createServer((socket) => socket.once('data', () => socket.destroy()))
  await once(closing.listen(outside.port, '127.0.0.1'), 'listening')
  await using sandbox = await inContainer()

  const delivery = await payTo(sandbox, `http://127.0.0.1:${outside.port}/`)
  closing.close()

  expect(delivery.attempts).toMatchObject([{ error: 'connection closed before an answer came' }])
  expect(outside.received).toEqual([])
})

test('in a container, a webhook to a name other than localhost is not sent to the host machine', async () => {
  await using outside = await startReceiver(undefined, OUTSIDE)
  await using sandbox = await openSandbox({
    isInContainer: true,
    lookup: async (host) => [
      host === 'shop.test' ? { address: '127.0.0.1', family: 4 } : { address: OUTSIDE, family: 6 },
    ],
  })
  expect(await payTo(sandbox, `http://shop.test:${outside.port}/`)).toMatchObject({ state: 'failed' })
  expect(outside.received).toEqual([])
})

test('in a container, a webhook to the sandbox itself is not sent to the host machine', async () => {
  await using sandbox = await openSandbox({
    isInContainer: true,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const { port } = new URL(sandbox.url)

  expect(await payTo(sandbox, `http://[::1]:${port}/tunnel/shop`)).toMatchObject({
    state: 'failed',
    attempts: [{ error: `connection refused, nothing listens on [::1]:${port}` }],
  })
})

test('outside of a container, a webhook has only one address', async () => {
  await using receiver = await startReceiver(undefined, OUTSIDE)
  await using sandbox = await openSandbox({ lookup: outsideIs(OUTSIDE) })

  expect(await payTo(sandbox, `http://127.0.0.1:${receiver.port}/`)).toMatchObject({ state: 'failed' })
  expect(receiver.received).toEqual([])
})

const ROUTES = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0
`

test.each([
  [ROUTES, '172.17.0.1'],
  [ROUTES.replace('010011AC', '22D8B85D'), '93.184.216.34'],
  [ROUTES.replace('010011AC', 'nonsense'), undefined],
  [ROUTES.split('\n')[0]!, undefined],
  ['', undefined],
])('in a container, the host machine is the gateway of the default route: %j', (routes, gateway) => {
  expect(parseGateway(routes)).toBe(gateway)
})

test('in a container whose host machine has no name, the private gateway is used', async ({ folder }) => {
  const file = join(folder.path, 'route')
  const findHost = createFindContainerHost(
    createEgressPolicy(
      async () => [],
      async () => [],
    ),
    file,
  )
  expect(await findHost()).toBeUndefined()

  writeFileSync(file, ROUTES)
  expect(await findHost()).toEqual({ address: '172.17.0.1', family: 4 })
  writeFileSync(file, ROUTES.replace('010011AC', '22D8B85D'))
  expect(await findHost()).toBeUndefined()
})

test.for(['93.184.216.34', '169.254.169.254', '64:ff9b::a9fe:a9fe'])(
  'the name of the host machine is not used if it resolves to %s',
  async (address, { folder }) => {
    const guard = createEgressPolicy(async () => ['host.docker.internal'], outsideIs(address))
    expect(await createFindContainerHost(guard, join(folder.path, 'none'))()).toBeUndefined()
  },
)
