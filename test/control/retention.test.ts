import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { followStream } from '../support/follow-stream.ts'
import { listenAt } from '../support/listen-at.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** Makes calls that record one event each. */
async function callOften(sandbox: OpenSandbox, times: number): Promise<void> {
  for (let done = 0; done < times; done += 20) {
    await Promise.all(Array.from({ length: 20 }, () => sandbox.call('refundPayment', {})))
  }
}

const journalOf = async (sandbox: OpenSandbox) => {
  const { answer } = await sandbox.control('GET', '/info')
  return { ...answer.journal, events: answer.counts.events }
}

const settleAt = (sandbox: OpenSandbox, most: number) =>
  expect.poll(async () => (await journalOf(sandbox)).events).toBeLessThanOrEqual(most)

test('the journal keeps its newest events, and the error for an older event says where the journal begins', async () => {
  await using sandbox = await openSandbox({ keep: 200 })
  await callOften(sandbox, 400)
  await settleAt(sandbox, 210)

  const { oldest, head, events } = await journalOf(sandbox)
  expect(events).toBeGreaterThanOrEqual(200)
  expect(oldest).toBe(head - events + 1)
  const gone = await sandbox.rawControl('GET', '/events/3')
  expect([gone.status, gone.answer.detail]).toEqual([
    404,
    `There is no event 3 in this journal. The oldest that it keeps is ${oldest}.`,
  ])
  const unborn = await sandbox.rawControl('GET', `/events/${head + 100}`)
  expect(unborn.answer.detail).toBe(`There is no event ${head + 100} in this journal.`)

  // A new client gets the events that exist.
  await using follower = await followStream(sandbox.url)
  await follower.until(() => follower.seqs().includes(head))
  expect(follower.seqs()[0]).toBe(oldest)
})

test('events of unfinished payments and webhooks are kept', async () => {
  await using sandbox = await openSandbox({ keep: 100 })
  const listener = await listenAt(sandbox.url, { tunnel: 'laptop', forwardTo: 'http://127.0.0.1:1' })
  // The restored snapshot still contains the listener, which has disconnected in the meantime.
  await sandbox.control('POST', '/snapshots', { name: 'known' })
  await listener.close()
  await sandbox.control('POST', '/snapshots/known/restore')
  await sandbox.call('createSplitLink', {})
  const { head: plain } = await journalOf(sandbox)
  const { id } = await sandbox.createLink({ payment_endpoint: 'https://shop.example.com/webhooks' })
  const paid = await sandbox.control('POST', `/links/${id}/pay`, {})
  const delivery = paid.answer.deliveries[0]!.id
  await fetch(`${sandbox.url}/tunnel/laptop/hooks`, { method: 'POST', body: 'missed' })
  const refunded = await sandbox.createLink({})
  await sandbox.control('POST', `/links/${refunded.id}/pay`, {})
  await sandbox.call('refundPayment', { pay_id: refunded.id, refund_amount: 1 })
  await callOften(sandbox, 400)
  await settleAt(sandbox, 120)

  expect((await sandbox.control('GET', `/events/${plain}`)).status).toBe(404)
  const about = async () => {
    const { answer } = await sandbox.control('GET', '/events?type=delivery.queued,delivery.held,link.paid')
    return answer.events.map(({ type }) => type)
  }
  expect(await about()).toEqual(['delivery.queued', 'delivery.held', 'link.paid', 'delivery.queued'])
  const open = await sandbox.control('GET', '/events?type=refund.requested')
  expect(open.answer.events).toMatchObject([{ payId: refunded.id }])
  expect((await sandbox.control('GET', `/deliveries/${delivery}`)).answer.heldReason).toContain(
    'shop.example.com is not on this machine',
  )

  const missed = await sandbox.control('GET', '/tunnels/laptop/requests')
  expect(missed.answer.requests).toHaveLength(1)
  expect(sandbox.problems).toEqual([])
})

test('a reset while old events are deleted starts a journal with the same limit', async () => {
  await using sandbox = await openSandbox({ keep: 100 })
  await callOften(sandbox, 200)
  await sandbox.control('POST', '/reset', {})
  const first = await journalOf(sandbox)
  expect(first.oldest).toBe(1)
  await callOften(sandbox, 200)
  await settleAt(sandbox, 105)
  expect((await journalOf(sandbox)).events).toBeGreaterThanOrEqual(100)
  expect(sandbox.problems).toEqual([])
})

test('the database file stops growing, and a start with a lower limit deletes events', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-'))
  const db = join(folder, 'sandbox.db')
  try {
    const sizes: number[] = []
    for (const keep of [100, 100, 50]) {
      await using sandbox = await openSandbox({ db, keep })
      await callOften(sandbox, keep === 50 ? 20 : 400)
      await settleAt(sandbox, keep + keep / 20)
      await sandbox.close()
      sizes.push((await stat(db)).size)
    }
    expect(sizes[1]! / sizes[0]!).toBeLessThan(1.25)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the write-ahead log of a large unit of work is truncated again', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db, keep: 100 })
  const logSize = async () => (await stat(`${db}-wal`)).size
  const note = 'x'.repeat(900_000)
  await sandbox.control('POST', '/snapshots', { name: 'small' })
  for (let links = 0; links < 24; links++) await sandbox.createLink({ recipient_note: note })
  await sandbox.control('POST', '/snapshots', { name: 'large' })
  await sandbox.control('POST', '/snapshots/small/restore')
  await sandbox.control('POST', '/snapshots/large/restore')
  expect(await logSize()).toBeGreaterThan(17 * 1024 * 1024)

  await callOften(sandbox, 40)
  expect(await logSize()).toBeLessThanOrEqual(16 * 1024 * 1024)
})

test('--keep 0 keeps every event', async () => {
  await using sandbox = await openSandbox({ keep: 0 })
  const before = await journalOf(sandbox)
  await callOften(sandbox, 100)
  expect(await journalOf(sandbox)).toMatchObject({ oldest: 1, events: before.events + 100 })
})
