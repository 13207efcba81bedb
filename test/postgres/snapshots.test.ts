import { expect } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { newSchema } from '../support/postgres.ts'
import { downloadSnapshot, rowsOf, uploadSnapshot } from '../support/snapshot-file.ts'
import { test } from '../support/test.ts'

test('a snapshot stays the same row by row when it moves from SQLite to PostgreSQL and back', async () => {
  await using schema = newSchema()
  await using source = await openSandbox({ db: ':memory:' })
  await fill(source)
  const first = await take(source, 'before')
  await using between = await openSandbox({ db: schema.url })
  expect(await uploadSnapshot(between, 'moved', first)).toMatchObject({ status: 201 })
  await between.control('POST', '/snapshots/moved/restore')
  const second = await take(between, 'on-postgres')
  await using target = await openSandbox({ db: ':memory:' })
  expect(await uploadSnapshot(target, 'back', second)).toMatchObject({ status: 201 })
  await target.control('POST', '/snapshots/back/restore')
  const third = await take(target, 'after')

  const [before, onPostgres, after] = [first, second, third].map((bytes) => sortedRowsOf(bytes))
  // A restore begins an epoch and records an event. All other rows stay the same.
  expect(withoutRestores(onPostgres!)).toEqual(withoutRestores(before!))
  expect(withoutRestores(after!)).toEqual(withoutRestores(before!))
  expect(before!.event!.length).toBeGreaterThan(15)
  expect(before!.event).toContainEqual(
    expect.objectContaining({ requestBody: { base64: expect.any(String) } }),
  )
})

test('snapshots on PostgreSQL survive a restart, and a reset can be undone', async () => {
  await using schema = newSchema()
  await using first = await openSandbox({ db: schema.url })
  await first.createLink({ recipient_note: 'kept' })
  await first.control('POST', '/snapshots', { name: 'mine' })
  await first.control('POST', '/reset', { to: 'seed' })
  await first.control('POST', '/reset/undo', {})
  expect(await notes(first)).toEqual(['kept'])
  await first.createLink({ recipient_note: 'later' })
  await first.close()

  await using second = await openSandbox({ db: schema.url })
  const { answer } = await second.control('GET', '/snapshots')
  expect(answer.snapshots).toMatchObject([{ name: 'before-reset' }, { name: 'mine', links: 1 }])
  await second.control('POST', '/snapshots/mine/restore')
  expect(await notes(second)).toEqual(['kept'])
  expect((await second.control('DELETE', '/snapshots/mine')).status).toBe(204)
})

/** Links, payments, webhooks, an unreadable body and a tunnel's request. */
async function fill(sandbox: OpenSandbox): Promise<void> {
  await using receiver = await startReceiver()
  for (const note of ['NUL \u0000 and \u0001', 'quote " and \\ and {,}', 'Ünïcode 😀']) {
    const link = await sandbox.createLink({ recipient_note: note, payment_endpoint: receiver.url })
    await sandbox.control('POST', `/links/${link.id}/pay`)
  }
  await fetch(`${sandbox.url}/tunnel/shop/hook`, {
    method: 'POST',
    body: new Uint8Array([0, 1, 98, 255, 254, 0]),
  })
  await sandbox.settled()
}

/** Takes a snapshot and downloads it. */
async function take(sandbox: OpenSandbox, name: string): Promise<Buffer> {
  await sandbox.control('POST', '/snapshots', { name })
  return downloadSnapshot(sandbox, name)
}

type Rows = Record<string, unknown[]>

/** Only the sequence of accounts is stored in no column. */
const sortedRowsOf = (bytes: Uint8Array): Rows =>
  Object.fromEntries(
    Object.entries(rowsOf(bytes)).map(([table, rows]) => [table, table === 'account' ? rows : sorted(rows)]),
  )

const sorted = (rows: unknown[]): unknown[] =>
  rows
    .map((row) => [JSON.stringify(row), row] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)

const RESTORED = ['sandbox.restored', 'snapshot.taken']

function withoutRestores(rows: Rows): Rows {
  return {
    ...rows,
    meta: rows.meta!.filter((row) => !['epoch', 'unbilled'].includes((row as { key: string }).key)),
    event: rows.event!.filter((row) => !RESTORED.includes((row as { type: string }).type)),
    // A restore remembers the keys from before, so that they are still masked.
    formerKey: [],
  }
}

async function notes(sandbox: OpenSandbox): Promise<string[]> {
  const { answer } = await sandbox.control('GET', '/links')
  return answer.links.map(({ note }) => note)
}
