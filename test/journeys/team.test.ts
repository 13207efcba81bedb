import { expect } from 'vitest'
import { connectSandbox } from '../../server/package/index.ts'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { startCli } from '../support/cli.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

const PUBLIC_URL = 'https://pay.dev.example'

/** Each loopback address stands for one machine. Linux has all of these addresses, macOS only the first one. */
const hasMany = process.platform === 'linux'
const SERVER = '127.0.0.2'
const [ADA, GRACE] = ['127.0.0.3', '127.0.0.4'] as const

test.runIf(hasMany)(
  'each member of a team gets the webhooks of their own account on their own machine',
  async ({ folder }) => {
    const problems: unknown[] = []
    await using running = await runSandbox({
      host: '0.0.0.0',
      publicUrl: PUBLIC_URL,
      adminToken: 'admin-secret',
      tunnelTokens: { ada: 'ada-secret', grace: 'grace-secret' },
      isInContainer: false,
      onError: (error) => problems.push(error),
    })
    const url = `http://${SERVER}:${new URL(running.url).port}`
    await using sandbox = await connectSandbox(url, { adminToken: 'admin-secret' })
    await using adas = await startReceiver(undefined, ADA)
    await using graces = await startReceiver(undefined, GRACE)
    const team = [
      { name: 'ada', receiver: adas },
      { name: 'grace', receiver: graces },
    ]
    const listen = (name: string, to: string, token: string) =>
      startCli(['listen', name, '--forward-to', to, '--sandbox', url, '--token', token], { cwd: folder.path })
    await using ada = listen('ada', `${adas.origin}/hooks`, 'ada-secret')
    await using grace = listen('grace', `${graces.origin}/hooks`, 'grace-secret')
    for (const listener of [ada, grace]) {
      await listener.until(() => listener.errors.some((line) => line.startsWith('Listening as ')))
    }

    const paid = await Promise.all(
      team.map(async ({ name }) => {
        const account = await sandbox.createAccount({ name, paymentEndpoint: `/tunnel/${name}/paid` })
        const link = await account.createLink({ amount: 5, note: `an order of ${name}` })
        expect(link.payLink).toMatch(new RegExp(`^${PUBLIC_URL}/payment\\?`))
        return account.pay(link.id)
      }),
    )

    expect(paid.map(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual([
      ['delivered'],
      ['delivered'],
    ])
    for (const { name, receiver } of team) {
      expect(receiver.received.map(({ path, pairs }) => [path, pairs['data[note]']])).toEqual([
        ['/hooks/paid', `an order of ${name}`],
      ])
    }
    await using stranger = listen('grace', adas.origin, 'ada-secret')
    expect(await stranger.closed).toBe(2)
    expect(stranger.errors.join('\n')).toContain('opens only the tunnels ada and ada-…, not grace')
    for (const token of [undefined, 'ada-secret']) {
      await expect(connectSandbox(url, { adminToken: token })).rejects.toThrow(/token/)
    }
    expect(problems).toEqual([])
  },
)
