import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { callsOf } from '../support/sandbox.ts'
import { spawnSandbox, temporaryFolder } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'

const PAYMENTS = 200
const PAID_BEFORE_THE_KILL = 60
const ANSWERED_BEFORE_THE_KILL = 10

test('a sandbox killed in the middle of two hundred payments loses none of them, and no webhook', async () => {
  using folder = temporaryFolder()
  const db = join(folder.path, 'sandbox.db')
  const heard = new Map<string, number>()
  let isSlow = true
  let stuck: () => void = () => undefined
  const isStuck = new Promise<void>((resolve) => (stuck = resolve))
  await using receiver = await startReceiver(({ pairs }, response) => {
    const payId = pairs['data[pay_id]']!
    heard.set(payId, (heard.get(payId) ?? 0) + 1)
    // So slow that the kill comes first.
    if (isSlow && heard.size > ANSWERED_BEFORE_THE_KILL) stuck()
    else response.end()
  })

  const first = await spawnSandbox(['--port', '0', '--db', db], { cwd: folder.path })
  const before = callsOf(first.url)
  const ids: number[] = []
  for (let links = 0; links < PAYMENTS; links++)
    ids.push((await before.createLink({ payment_endpoint: receiver.url })).id)

  const answered: number[] = []
  let killed: Promise<unknown> | undefined
  await Promise.all(
    ids.map(async (id) => {
      const paid = await before
        .control('POST', `/links/${id}/pay`, { wait: 'accepted' })
        .catch(() => undefined)
      if (paid?.status === 200) answered.push(id)
      if (answered.length < PAID_BEFORE_THE_KILL) return
      await isStuck
      killed ??= first.end('SIGKILL')
    }),
  )
  await killed
  isSlow = false

  await using second = await spawnSandbox(['--port', '0', '--db', db], { cwd: folder.path })
  const after = callsOf(second.url)
  for (const id of ids) {
    const { answer } = await after.control<{ status: string }>('GET', `/links/${id}`)
    if (answered.includes(id)) expect([id, answer.status]).toEqual([id, 'paid'])
    if (answer.status === 'unused') await after.control('POST', `/links/${id}/pay`, { wait: 'accepted' })
  }
  const last = { match: { type: 'delivery.attempted', payId: ids.at(-1) }, timeoutMs: 30_000 }
  for (const id of ids)
    await after.control('POST', '/events/wait', { ...last, match: { ...last.match, payId: id } })
  await second.end('SIGTERM')

  expect([...heard.keys()].map(Number).toSorted((a, b) => a - b)).toEqual(ids)
  const ledger = new SQLite(db, { readonly: true })
  const count = (sql: string) => (ledger.prepare(sql).get() as { number: number }).number
  expect(count("select count(*) as number from link where status = 'paid'")).toBe(PAYMENTS)
  expect(count("select count(*) as number from delivery where state = 'delivered'")).toBe(PAYMENTS)
  expect(count('select max(seq) - count(*) as number from event')).toBe(0)
  expect(count('select count(*) as number from link where id not in (select linkId from delivery)')).toBe(0)
  // At least once: what was underway at the kill came twice, and says so.
  expect(count('select count(*) as number from delivery where mayRepeat = 1')).toBe(1)
  expect([...heard.values()].filter((times) => times > 1)).toEqual([2])
  ledger.close()
})

test('a sandbox killed between two attempts makes the next one in its time, and repeats none', async () => {
  using folder = temporaryFolder()
  const db = join(folder.path, 'sandbox.db')
  const args = ['--port', '0', '--db', db, '--behavior', 'retries=1h,1h']
  const noon = '2026-11-10T12:00:00.000Z'
  // Two are between attempts at the kill, and one is underway.
  let isSlow = false
  await using receiver = await startReceiver((_received, response) => {
    if (!isSlow) response.writeHead(500).end()
  })

  const first = await spawnSandbox(args, { cwd: folder.path })
  const before = callsOf(first.url)
  const pay = async (wait: string) => {
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

  await using second = await spawnSandbox(args, { cwd: folder.path })
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
    { id: 3, mayRepeat: true, attempts: [{ at: noon }, { at: at(1) }, { at: at(2) }] },
    { id: 2, mayRepeat: false },
    { id: 1, mayRepeat: false },
  ])
  expect(receiver.received).toHaveLength(3 + 1 + 6)
})

test('a sandbox killed while time passes goes on from where the clock had come', async () => {
  using folder = temporaryFolder()
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

  await using second = await spawnSandbox(args, { cwd: folder.path })
  const after = callsOf(second.url)
  expect((await after.control('GET', '/clock')).answer).toMatchObject({ now: '2026-11-10T14:00:00.000Z' })
  await after.control('POST', '/clock/advance', { days: 1 })
  const at = (hours: number) => ({ at: `2026-11-10T${12 + hours}:00:00.000Z` })
  expect((await after.control('GET', '/deliveries/1')).answer).toMatchObject({
    state: 'failed',
    mayRepeat: true,
    attempts: [at(0), at(1), at(2), at(3)],
  })
  expect(receiver.received).toHaveLength(5)
})
