import { expect } from 'vitest'
import { parseRoute } from '../../ui/browser/hash-route.ts'
import { runLine } from '../support/cli.ts'
import { startMcp } from '../support/mcp.ts'
import { shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('mcp: starts a sandbox, and an assistant creates a link, pays it and reads the events', async ({
  receiver,
}) => {
  await using assistant = await startMcp()
  expect((await assistant.client.listTools()).tools.length).toBeGreaterThan(2)

  const status = await assistant.call('sandbox_status')
  expect(status.lines).toContain(`  PAYLINK_API_KEY=${shop.apiKey}`)
  expect(status.untrusted.accounts).toMatchObject({ [shop.id]: { name: shop.name } })

  const created = await assistant.call('create_link', { amount: 20, paymentEndpoint: receiver.url })
  expect(created.lines[0]).toBe('Link 1001 (pay_id 1001) is unused: €20.00')
  expect(created.untrusted).toMatchObject({ webhookTargets: [receiver.url] })

  const paid = await assistant.call('payment', { link: 1001, action: 'pay' })
  expect(paid.lines).toContain('Webhook 1 of link 1001 was delivered: ✓ 200')
  expect(receiver.received).toHaveLength(1)

  const events = await assistant.call('events', { action: 'list', types: ['delivery.attempted'] })
  expect(events.lines).toEqual([
    expect.stringMatching(/^#\d+ .* delivery\.attempted {2}✓ 200 {2}link 1001 {2}webhook 1$/),
  ])
  const messages = assistant.output.stdout.trimEnd().split('\n')
  expect(messages.filter((line) => JSON.parse(line).jsonrpc !== '2.0')).toEqual([])
  expect(assistant.output.stderr).toMatch(/^Sandbox listening on http:\/\/127\.0\.0\.1:\d+\n/)
  expect(await assistant.end()).toBe(0)
})

test('mcp: connects to a running sandbox', async ({ sandbox }) => {
  await using assistant = await startMcp([], { PAYLINK_URL: sandbox.url })
  const { inspector } = await assistant.call('create_link', { amount: 1 })
  const { answer } = await sandbox.control('GET', '/links')
  expect(answer.links).toHaveLength(1)
  expect(parseRoute(inspector!.replace(`${sandbox.url}/`, ''))).toMatchObject({
    screen: 'payments',
    id: answer.links[0]!.payId,
  })
  assistant.interrupt('SIGTERM')
  expect(await assistant.closed).toBe(0)
})

test('mcp: rejects a flag that has no effect on a running sandbox', async ({ sandbox }) => {
  expect(await runLine('mcp --db other.db', { PAYLINK_URL: sandbox.url })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      '--db is for a new sandbox, and PAYLINK_URL names a sandbox that is already running. Leave one of them out.\n',
  })
})
