import { join } from 'node:path'
import { expect } from 'vitest'
import { callsOf } from '../support/sandbox.ts'
import { startSandboxCli } from '../support/cli.ts'
import { spawnSandbox } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

test('a sandbox killed between two attempts makes the next attempt on time, and repeats none', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const args = ['--port', '0', '--db', db, '--behavior', 'retries=1h,1h']
  const noon = '2026-11-10T12:00:00.000Z'
  // At the time of the kill, two webhooks wait for their next attempt, and one is being sent.
  let isSlow = false
  await using receiver = await startReceiver((_received, response) => {
    if (!isSlow) response.writeHead(500).end()
  })

  const first = await spawnSandbox(args, { cwd: folder.path })
  const before = callsOf(first.url)
  const pay = async (wait: 'accepted' | 'settled') => {
    const { id } = await before.createLink({ payment_endpoint: receiver.url })
    return before.control('POST', `/links/${id}/pay`, { wait })
  }
  await before.control('PUT', '/clock', { now: noon, mode: 'frozen' })
  await pay('settled')
  await pay('settled')
  isSlow = true
  await pay('accepted')
  await receiver.count(3)
  await first.end('SIGKILL')
  isSlow = false

  await using second = await startSandboxCli(args, { cwd: folder.path })
  const after = callsOf(second.url)
  await receiver.count(4)
  const { answer } = await after.control('POST', '/clock/advance', { hours: 2 })
  const at = (hours: number) => `2026-11-10T${12 + hours}:00:00.000Z`
  expect(answer.attempts).toMatchObject([
    { deliveryId: 1, number: 2, at: at(1) },
    { deliveryId: 2, number: 2, at: at(1) },
    { deliveryId: 3, number: 2, at: at(1) },
    { deliveryId: 1, number: 3, at: at(2), state: 'failed' },
    { deliveryId: 2, number: 3, at: at(2), state: 'failed' },
    { deliveryId: 3, number: 3, at: at(2), state: 'failed' },
  ])
  const { answer: list } = await after.control('GET', '/deliveries')
  expect(list.deliveries).toMatchObject([
    { id: 3, possibleDuplicate: true, attempts: [{ at: noon }, { at: at(1) }, { at: at(2) }] },
    { id: 2, possibleDuplicate: false },
    { id: 1, possibleDuplicate: false },
  ])
  expect(receiver.received).toHaveLength(3 + 1 + 6)
})

test('a sandbox killed while time advances resumes from its saved clock time', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const args = ['--port', '0', '--db', db, '--behavior', 'retries=1h,1h,1h']
  await using receiver = await startReceiver((_received, response) => {
    if (receiver.received.length !== 3) response.writeHead(500).end()
  })

  const first = await spawnSandbox(args, { cwd: folder.path })
  const before = callsOf(first.url)
  await before.control('PUT', '/clock', { now: '2026-11-10T12:00:00Z', mode: 'frozen' })
  const { id } = await before.createLink({ payment_endpoint: receiver.url })
  await before.control('POST', `/links/${id}/pay`)
  const advancing = before.control('POST', '/clock/advance', { days: 1 }).catch(() => 'cut off')
  await receiver.count(3)
  await first.end('SIGKILL')
  expect(await advancing).toBe('cut off')

  await using second = await startSandboxCli(args, { cwd: folder.path })
  const after = callsOf(second.url)
  expect((await after.control('GET', '/clock')).answer).toMatchObject({ now: '2026-11-10T14:00:00.000Z' })
  await after.control('POST', '/clock/advance', { days: 1 })
  const at = (hours: number) => ({ at: `2026-11-10T${12 + hours}:00:00.000Z` })
  expect((await after.control('GET', '/deliveries/1')).answer).toMatchObject({
    state: 'failed',
    possibleDuplicate: true,
    attempts: [at(0), at(1), at(2), at(3)],
  })
  expect(receiver.received).toHaveLength(5)
})
