import SQLite from 'better-sqlite3'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createLinkFor, createAccount, type CreatedAccount } from '../support/account.ts'
import { startReceiver } from '../support/receiver.ts'
import { courier, openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'
import { test } from '../support/test.ts'

const LISTS = ['links', 'events', 'deliveries', 'refunds', 'invoices'] as const

/** Everything that the control API lists for one account, or for all. */
async function listsOf({ rawControl }: OpenSandbox, account?: string) {
  const lists = LISTS.map(async (name) => {
    const query = account === undefined ? '' : `&account=${account}`
    const path = name === 'refunds' || name === 'invoices' ? `?${query.slice(1)}` : `?limit=1000${query}`
    return [
      name,
      (await rawControl<Record<string, object[]>>('GET', `/${name}${path}`)).answer[name]!,
    ] as const
  })
  return Object.fromEntries(await Promise.all(lists)) as Record<(typeof LISTS)[number], object[]>
}

const resetOf = ({ control }: OpenSandbox, { id }: Pick<CreatedAccount, 'id'>) =>
  control('POST', `/accounts/${id}/reset`)

/** Makes a paid and refunded link, and changes the behaviors, the name and the key of an account. */
async function useAccount(sandbox: OpenSandbox, account: CreatedAccount) {
  const { call, control } = sandbox
  const link = await createLinkFor(sandbox, account)
  const { answer } = await control('POST', `/links/${link.id}/pay`)
  const { payId } = answer.link
  await call(
    'refundPayment',
    { pay_id: payId, refund_amount: 100, isFullRefund: true },
    { token: account.apiKey },
  )
  await control('PATCH', `/behaviors?account=${account.id}`, { amountText: 'two-decimals' })
  await control('PATCH', `/accounts/${account.id}`, { name: 'Another', bankTransfer: true })
  return { id: link.id, deliveries: answer.deliveries }
}

test('a reset returns an account to how it was created', async ({ sandbox }) => {
  const account = await createAccount(sandbox, { name: 'pays', paymentEndpoint: '/tunnel/pays' })
  const { id } = await useAccount(sandbox, account)
  await sandbox.control('POST', `/accounts/${account.id}/rotate`, { secret: 'apiKey' })

  const { status, answer } = await resetOf(sandbox, account)

  expect([status, answer]).toEqual([200, account])
  expect((await sandbox.control('GET', `/accounts/${account.id}`)).answer).toEqual(account)
  expect(await listsOf(sandbox, account.id)).toEqual({
    links: [],
    events: [expect.objectContaining({ type: 'account.reset', name: 'pays' })],
    deliveries: [],
    refunds: [],
    invoices: [],
  })
  const { answer: chosen } = await sandbox.control('GET', `/behaviors?account=${account.id}`)
  expect(chosen.behaviors).not.toContainEqual(expect.objectContaining({ source: 'account' }))
  expect((await createLinkFor(sandbox, account)).id).toBe(id)
})

test('a reset returns a seeded account to its seed, invoices included', async ({ sandbox }) => {
  const seeded = (await sandbox.control('GET', `/accounts/${shop.id}`)).answer
  const { invoices } = await listsOf(sandbox, shop.id)
  await useAccount(sandbox, shop)
  await sandbox.control('POST', '/clock/advance', { months: 1 })
  expect((await listsOf(sandbox, shop.id)).invoices).toHaveLength(invoices.length + 1)

  expect((await resetOf(sandbox, shop)).answer).toEqual(seeded)
  expect(await listsOf(sandbox, shop.id)).toMatchObject({ links: [], deliveries: [], refunds: [], invoices })
  // All accounts share the id range.
  expect((await sandbox.createLink()).id).toBe(1002)
})

test('ids that all accounts share are not reused until everything is reset', async ({ sandbox }) => {
  await sandbox.createLink()
  await resetOf(sandbox, shop)
  expect((await createLinkFor(sandbox, courier)).id).toBe(1002)
  await resetOf(sandbox, shop)
  await resetOf(sandbox, courier)
  expect((await sandbox.createLink()).id).toBe(1003)

  await sandbox.control('POST', '/reset')
  expect((await sandbox.createLink()).id).toBe(1001)
})

test('a reset of one account changes no other account, and links of other accounts still give the account a share', async ({
  sandbox,
}) => {
  const [mine, theirs] = [
    await createAccount(sandbox, { name: 'mine' }),
    await createAccount(sandbox, { name: 'theirs', paymentEndpoint: '/tunnel/theirs' }),
  ]
  await useAccount(sandbox, mine)
  await useAccount(sandbox, theirs)
  const split = await sandbox.createLink({ recipients: [{ token: mine.recipientToken, share: 40 }] })
  const before = [await listsOf(sandbox, theirs.id), await listsOf(sandbox, shop.id)]

  await resetOf(sandbox, mine)

  expect([await listsOf(sandbox, theirs.id), await listsOf(sandbox, shop.id)]).toEqual(before)
  expect((await sandbox.control('POST', `/links/${split.id}/pay`)).answer.link).toMatchObject({
    status: 'paid',
    payout: { recipients: [{ accountId: mine.id, amount: 40 }], owner: 60 },
  })
})

test('seqs and delivery ids are not reused, even after a snapshot is restored', async ({ sandbox }) => {
  const account = await createAccount(sandbox, { name: 'pays', paymentEndpoint: '/tunnel/pays' })
  const first = await useAccount(sandbox, account)
  const highest = (await sandbox.control('GET', '/events')).answer.head
  await resetOf(sandbox, account)
  const [event] = (await listsOf(sandbox, account.id)).events
  expect(event).toMatchObject({ seq: highest + 1 })

  await sandbox.control('POST', '/snapshots', { name: 'after' })
  await sandbox.control('POST', '/snapshots/after/restore')
  const second = await useAccount(sandbox, account)
  expect([first, second].map(({ deliveries }) => deliveries.map(({ id }) => id))).toEqual([[1], [2]])

  await sandbox.control('POST', '/reset')
  await sandbox.createLink()
  const { answer } = await sandbox.control('POST', '/links/1001/pay')
  expect(answer.deliveries).toMatchObject([{ id: 1 }])
})

const RESETS = sized({ full: 100, small: 20 })

test(`a reset or deletion leaves no rows behind, even after ${RESETS} repetitions`, async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  const rows = () => {
    const file = new SQLite(db, { readonly: true })
    const tables = file.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    const counts = tables.map((table) => [
      table,
      file.prepare(`select count(*) from "${table}"`).pluck().get(),
    ])
    file.close()
    return Object.fromEntries(counts) as Record<string, number>
  }
  const account = await createAccount(sandbox, { name: 'pays', paymentEndpoint: '/tunnel/pays' })
  await useAccount(sandbox, account)
  await resetOf(sandbox, account)
  const before = rows()

  for (let times = 0; times < RESETS; times++) {
    await useAccount(sandbox, account)
    await resetOf(sandbox, account)
  }
  expect(rows()).toEqual(before)

  const gone: CreatedAccount[] = []
  for (let times = 0; times < 3; times++) {
    gone.push(await createAccount(sandbox, { name: 'comes and goes', apiKey: 'devComesAndGoes' }))
    await sandbox.control('DELETE', `/accounts/${gone[0]!.id}`)
  }
  expect(new Set(gone.map(({ id }) => id)).size).toBe(1)
  // One event records that the account was deleted. Its key is kept, so that it is still masked.
  expect(rows()).toEqual({ ...before, event: before.event! + 1, formerKey: before.formerKey! + 1 })
  expect(sandbox.problems).toEqual([])
})

test('a reset ends a webhook that is still being sent, and webhooks queued after the reset are sent', async () => {
  const isCut: Promise<unknown>[] = []
  await using receiver = await startReceiver((_received, response, { socket }) => {
    if (receiver.received.length === 1) isCut.push(once(socket, 'close'))
    else response.end()
  })
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 60_000 })
  const account = await createAccount(sandbox, { name: 'pays', paymentEndpoint: receiver.url })
  const first = await createLinkFor(sandbox, account)
  const paying = sandbox.control('POST', `/links/${first.id}/pay`)
  await receiver.count(1)

  await resetOf(sandbox, account)

  expect(await paying).toMatchObject({
    status: 200,
    answer: { link: { status: 'paid' }, deliveries: [{ id: 1, state: 'pending', attempts: [] }] },
  })
  const again = await createLinkFor(sandbox, account)
  expect(again.id).toBe(first.id)
  const { answer } = await sandbox.control('POST', `/links/${again.id}/pay`)
  await isCut[0]
  expect(answer.deliveries).toMatchObject([{ id: 2, state: 'delivered' }])
  await sandbox.settled()
  const { events } = await listsOf(sandbox, account.id)
  expect(events.filter((event) => 'deliveryId' in event)).toMatchObject([
    { type: 'delivery.queued', deliveryId: 2 },
    { type: 'delivery.attempted', deliveryId: 2 },
  ])
  expect(sandbox.problems).toEqual([])
})

test('a reset is refused if another account has the original API key now', async ({ sandbox }) => {
  const account = await createAccount(sandbox, { name: 'pays' })
  await sandbox.control('POST', `/accounts/${account.id}/rotate`, { secret: 'apiKey' })
  await createAccount(sandbox, { name: 'thief', apiKey: account.apiKey })

  expect(await resetOf(sandbox, account)).toMatchObject({
    status: 409,
    answer: {
      detail: expect.stringContaining('cannot be reset to its original apiKey, because another account has'),
    },
  })
})

test.for<[path: string, body: object, status: number, detail: string]>([
  ['unknown', {}, 404, 'There is no account unknown.'],
  [shop.id, { to: 'seed' }, 400, 'The body has the unknown key to'],
])('a reset of account %s with %j is refused', async ([id, body, status, detail], { sandbox }) => {
  const refused = await sandbox.rawControl('POST', `/accounts/${id}/reset`, body)
  expect(refused).toMatchObject({ status, answer: { detail: expect.stringContaining(detail) } })
})

test('an account with links can be deleted after a reset, unless links of others give it a share', async ({
  sandbox,
}) => {
  const account = await createAccount(sandbox, { name: 'pays' })
  await createLinkFor(sandbox, account)
  const remove = (id: string) => sandbox.rawControl('DELETE', `/accounts/${id}`)

  expect((await remove(account.id)).answer.detail).toBe(
    `The account has payment links, which a reset removes. POST /_sandbox/v1/accounts/${account.id}/reset resets it`,
  )
  await resetOf(sandbox, account)
  expect((await remove(account.id)).status).toBe(204)
  const { answer: journal } = await sandbox.control('GET', '/events?type=account.deleted')
  expect(journal.events).toMatchObject([{ accountId: account.id }])

  await sandbox.createLink()
  expect((await remove(courier.id)).answer.detail).toBe(
    'Payment links of other accounts give this account a share. Reset those accounts or the sandbox, then delete this account',
  )
})
