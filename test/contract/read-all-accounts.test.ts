import { expect, test } from 'vitest'
import { readAllAccounts } from '../../server/contract/read-all-accounts.ts'
import type { AccountView } from '../../server/contract/views.ts'

const account = (name: string) => ({ name }) as AccountView

test('all pages of accounts are read, from the first to the last', async () => {
  const pages = [
    { after: 0, accounts: [account('one'), account('two')], next: 2 },
    { after: 2, accounts: [account('three'), account('four')], next: 5 },
    { after: 5, accounts: [account('five')], next: null },
  ]
  const all = await readAllAccounts(async ({ after }) => pages.find((page) => page.after === after)!)

  expect(all.map(({ name }) => name)).toEqual(['one', 'two', 'three', 'four', 'five'])
})

test('a page without `next` is the last one', async () => {
  const all = await readAllAccounts(({ after }) =>
    after === 0 ? Promise.resolve({ accounts: [account('one')] }) : Promise.reject(new Error('read again')),
  )

  expect(all.map(({ name }) => name)).toEqual(['one'])
})
