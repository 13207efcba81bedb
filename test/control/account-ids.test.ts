import SQLite from 'better-sqlite3'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createLinkFor, createAccount } from '../support/account.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const NAMES = ['pays', 'refunds', 'cancels', 'asks for invoices', 'Übergröße']

/** Creates accounts with two links each, and returns all of their ids by name. */
async function idsOf(names: readonly string[]) {
  await using sandbox = await openSandbox()
  const ids = await Promise.all(
    names.map(async (name) => {
      const account = await createAccount(sandbox, { name })
      const links = [await createLinkFor(sandbox, account), await createLinkFor(sandbox, account)]
      return [name, account.id, ...links.map(({ id }) => id)] as const
    }),
  )
  return ids.toSorted(([one], [other]) => (one < other ? -1 : 1))
}

test('the ids of an account and of its links depend only on the name of the account', async () => {
  const ids = await idsOf(NAMES)

  expect(await idsOf(NAMES.toReversed())).toEqual(ids)
  expect(new Set(ids.flat()).size).toBe(ids.flat().length)
})

test('the ids of an account name are the same in every version', async () => {
  expect(await idsOf(['pays'])).toEqual([
    ['pays', '94eea967-605f-59f4-9544-c74244b12bd9', 104_900_001, 104_900_002],
  ])
})

test('an account without a name gets the lowest free number', async ({ sandbox }) => {
  const [first, second] = [await createAccount(sandbox), await createAccount(sandbox)]
  await sandbox.control('DELETE', `/accounts/${first.id}`)
  const third = await createAccount(sandbox)

  expect([first.name, second.name, third.name]).toEqual(['Account 1', 'Account 2', 'Account 1'])
  expect(third.id).toBe(first.id)
})

test('a second account with the same name gets different ids', async ({ sandbox }) => {
  const twins = [
    await createAccount(sandbox, { name: 'pays' }),
    await createAccount(sandbox, { name: 'pays' }),
  ]
  const links = await Promise.all(twins.map((twin) => createLinkFor(sandbox, twin)))

  expect(twins[0]!.id).not.toBe(twins[1]!.id)
  expect(links[1]!.id).toBe(links[0]!.id + 10_000)
})

test('an account can be created with an id, and keeps its ids when it is renamed', async ({ sandbox }) => {
  const id = '5b1f0f3c-2f5b-4c0e-9d3f-6a7b1c2d4e5f'
  const account = await createAccount(sandbox, { id, name: 'pays' })
  const first = await createLinkFor(sandbox, account)
  await sandbox.control('PATCH', `/accounts/${id}`, { name: 'another' })

  expect(account.id).toBe(id)
  expect((await createLinkFor(sandbox, account)).id).toBe(first.id + 1)
  expect((await createAccount(sandbox, { name: 'another' })).id).not.toBe(id)
})

test('payId=distinct: pay_ids also come from the id block of the account', async ({ sandbox }) => {
  const account = await createAccount(sandbox, { name: 'pays' })
  const { id } = await createLinkFor(sandbox, account)
  await sandbox.control('PATCH', `/behaviors?account=${account.id}`, { payId: 'distinct' })
  await createLinkFor(sandbox, account)

  const { answer } = await sandbox.control('GET', `/links?account=${account.id}`)
  expect(answer.links).toMatchObject([
    { id: id + 1, payId: id + 5_001 },
    { id, payId: id },
  ])
})

test('an account that has used up its id block continues in another one, until it is reset', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const before = await openSandbox({ db })
  const account = await createAccount(before, { name: 'pays' })
  const first = await createLinkFor(before, account)
  await before.close()
  renumber(db, first.id, first.id + 4_998)

  await using sandbox = await openSandbox({ db })
  const last = await createLinkFor(sandbox, account)
  const further = await createLinkFor(sandbox, account)
  const next = await createLinkFor(sandbox, account)
  expect(last.id).toBe(first.id + 4_999)
  expect(Math.floor(further.id / 10_000)).not.toBe(Math.floor(first.id / 10_000))
  expect([further.id % 10_000, next.id]).toEqual([1, further.id + 1])

  await sandbox.control('POST', `/accounts/${account.id}/reset`)
  expect((await createLinkFor(sandbox, account)).id).toBe(first.id)
})

test('links of seeded accounts never get a number that is the pay_id of another link', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const before = await openSandbox({ db, behaviors: { payId: 'distinct' } })
  await before.createLink()
  const second = await before.createLink()
  await before.close()
  renumber(db, second.id, 700_000)

  await using sandbox = await openSandbox({ db })
  await sandbox.control('PATCH', '/behaviors', { payId: 'same' })
  expect((await sandbox.createLink()).id).toBe(1_399_001)
})

test('if no id is free, creating a link fails and the error says what to do', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const before = await openSandbox({ db })
  const { id } = await before.createLink()
  await before.close()
  renumber(db, id, 9_088_000)

  await using sandbox = await openSandbox({ db })
  await expect(sandbox.createLink()).rejects.toThrow(
    'There are no ids left for another payment link. Reset the account, or the sandbox',
  )
})

test('id blocks survive a restart, and are restored with a snapshot', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  const before = await openSandbox({ db })
  const [one, twin] = [
    await createAccount(before, { name: 'pays' }),
    await createAccount(before, { name: 'pays' }),
  ]
  const first = await createLinkFor(before, twin)
  await before.control('POST', '/snapshots', { name: 'two' })
  await before.close()

  await using sandbox = await openSandbox({ db })
  expect((await createLinkFor(sandbox, twin)).id).toBe(first.id + 1)
  await sandbox.control('POST', '/reset')
  await sandbox.control('POST', '/snapshots/two/restore')
  expect((await createLinkFor(sandbox, twin)).id).toBe(first.id + 1)
  expect((await createLinkFor(sandbox, one)).id).toBe(first.id - 10_000)
  await sandbox.control('POST', `/accounts/${twin.id}/reset`)
  expect((await createLinkFor(sandbox, twin)).id).toBe(first.id)
})

/** Gives a link an id that no call would choose. */
function renumber(db: string, from: number, to: number): void {
  const file = new SQLite(db)
  file.prepare('update link set id = ?, payId = payId - id + ? where id = ?').run(to, to, from)
  file.close()
}
