import { expect } from 'vitest'
import { newSchema, postgresUrl, query, skipWithoutPostgres } from '../support/postgres.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

skipWithoutPostgres()

/** The tables that grow with use. */
const GROWING = ['delivery', 'event', 'link', 'refund']

/** More than five times: from then on, the server keeps the plan of a prepared statement. */
const ROUNDS = 10

test('no call reads a whole table that grows, even if the tables were empty when the sandbox started', async () => {
  await using schema = newSchema()
  await (await openSandbox({ db: schema.url })).close()
  // The server counts the scans of a connection when it ends. Creating an index is a scan.
  const scansOf = async (name: string) =>
    (await countScans(schema.schema)).find(({ table }) => table === name)!
  await expect.poll(async () => (await scansOf('refund')).ofTable).toBeGreaterThan(0)
  const before = await countScans(schema.schema)
  await using receiver = await startReceiver()
  const sandbox = await openSandbox({ db: schema.url })
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
      await sandbox.control('POST', `/links/${id}/pay`, { method: 'card' })
      await sandbox.control('POST', '/settle', {})
      await sandbox.call('refundPayment', { pay_id: id, refund_amount: 1 })
      await sandbox.control('POST', `/refunds/${id}/approve`)
      await sandbox.call('sendWebhookViaPayId', { pay_ids: String(id), status: 'Success' })
      await sandbox.control('POST', '/settle', {})
      for (const path of ['/events', '/events/search?body=x', '/links', '/deliveries', '/refunds'])
        await sandbox.rawControl('GET', path)
    }
  } finally {
    await sandbox.close()
  }
  await expect.poll(async () => (await scansOf('event')).ofIndexes).toBeGreaterThan(ROUNDS)
  const ofTables = (scans: Scans): unknown => scans.map(({ table, ofTable }) => ({ table, ofTable }))
  expect(ofTables(await countScans(schema.schema))).toEqual(ofTables(before))
})

type Scans = Awaited<ReturnType<typeof countScans>>

async function countScans(schema: string) {
  const rows = await query(
    postgresUrl!,
    `select relname, seq_scan, idx_scan from pg_stat_user_tables where schemaname = '${schema}' order by relname`,
  )
  return rows
    .map((row) => ({
      table: String(row['relname']),
      ofTable: Number(row['seq_scan']),
      ofIndexes: Number(row['idx_scan']),
    }))
    .filter(({ table }) => GROWING.includes(table))
}
