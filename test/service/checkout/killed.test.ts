import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandboxCli } from '../../support/cli.ts'
import {
  CALLBACK,
  CARD,
  eventsOf,
  holdReceiver,
  payBehindAnotherResponse,
} from '../../support/ordered-payments.ts'
import { spawnSandbox } from '../../support/process.ts'
import { startReceiver } from '../../support/receiver.ts'
import { callsOf } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

test.for(['webhook-first', 'redirect-first'] as const)(
  '%s: after the sandbox was killed during a payment, no webhook and no customer waits forever',
  async (order, { folder }) => {
    const args = ['--port', '0', '--db', join(folder.path, 'sandbox.db'), '--behavior', `order=${order}`]
    await using receiver = await holdReceiver()
    const first = await spawnSandbox(args, { cwd: folder.path })
    const { createLink, submit } = callsOf(first.url)
    const link = await createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
    const paying = submit(link.pay_link, CARD).catch(() => 'cut off')
    await receiver.count(1)
    await first.end('SIGKILL')
    if (order === 'webhook-first') expect(await paying).toBe('cut off')

    await using second = await startSandboxCli(args, { cwd: folder.path })
    const calls = callsOf(second.url)
    await receiver.count(2)
    receiver.answer()
    receiver.answer()
    expect((await calls.control('POST', '/settle')).answer).toMatchObject({ delivered: 1 })
    const told = await eventsOf(calls, /^(redirect|delivery\.attempted)/)
    expect(told).toEqual([
      order === 'webhook-first' ? 'redirect.lost' : 'redirect.sent',
      'delivery.attempted',
    ])
  },
)

test('redirect-first: a sandbox killed while a webhook waits sends it after its next start', async ({
  folder,
  receiver,
}) => {
  const args = ['--port', '0', '--db', join(folder.path, 'sandbox.db'), '--behavior', 'order=redirect-first']
  const first = await spawnSandbox(args, { cwd: folder.path })
  const calls = { ...callsOf(first.url), url: first.url }
  await calls.createLink({ callback_url: CALLBACK, payment_endpoint: receiver.url })
  await payBehindAnotherResponse(calls)
  await first.end('SIGKILL')
  expect(receiver.received).toEqual([])

  await using second = await startSandboxCli(args, { cwd: folder.path })
  await receiver.count(1)
  expect((await callsOf(second.url).control('POST', '/settle')).answer).toMatchObject({ delivered: 1 })
})

test('a sandbox killed while it sends a list of notifications continues it after its next start', async ({
  folder,
}) => {
  const list = 'order=success,cancel,redirect,success,refund,redirect'
  const args = ['--port', '0', '--db', join(folder.path, 'sandbox.db'), '--behavior', list]
  await using receiver = await holdReceiver()
  await using pages = await startReceiver()
  const first = await spawnSandbox(args, { cwd: folder.path })
  const { control, createLink } = callsOf(first.url)
  const { id } = await createLink({ callback_url: pages.url, payment_endpoint: receiver.url })
  const paying = control('POST', `/links/${id}/pay`).catch(() => 'cut off')
  await receiver.count(1)
  receiver.answer()
  await receiver.count(2)
  await first.end('SIGKILL')
  expect(await paying).toBe('cut off')

  await using second = await startSandboxCli(args, { cwd: folder.path })
  const calls = callsOf(second.url)
  await receiver.count(3)
  receiver.answer()
  receiver.answer()
  await receiver.count(4)
  receiver.answer()
  expect((await calls.control('POST', '/settle')).answer).toMatchObject({ deliveries: 3, delivered: 3 })
  expect(await eventsOf(calls, /^(redirect|delivery\.attempted)/)).toEqual([
    'delivery.attempted',
    'delivery.attempted',
    'redirect.sent',
    'delivery.attempted',
  ])
  expect(pages.received).toHaveLength(1)

  await calls.call('refundPayment', { pay_id: id, refund_amount: 100, isFullRefund: true })
  await calls.control('POST', `/refunds/${id}/approve`)
  expect(pages.received.map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => `/webhook?pay_id=${id}&status=Success`),
  )
})
