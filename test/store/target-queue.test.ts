import { expect, test } from 'vitest'
import * as accounts from '../../server/store/repositories/accounts.ts'
import * as deliveries from '../../server/store/repositories/deliveries.ts'
import * as links from '../../server/store/repositories/links.ts'
import { openStore } from '../support/open-store.ts'
import { newAccount, newDelivery, newLink } from '../support/store-rows.ts'

const NOW = '2026-07-01T10:00:00.000Z'

test.each([1, 60, 100, 101, 150])(
  'a target gets each waiting webhook, and no other target gets one, even if %i targets have one',
  async (count) => {
    await using opened = await openStore()
    const { store } = opened
    const link = newLink('one', 1)
    const targets = Array.from({ length: count }, (_, index) => `http://localhost/${index}`)
    await store.transact(async ({ db }) => {
      await accounts.insert(db, [newAccount('one')])
      await links.insert(db, link)
      for (const target of targets) await deliveries.queue(db, { ...newDelivery(link), target }, NOW)
    })
    await store.transact(async ({ db }) => {
      const taken = []
      for (const target of ['http://localhost/none', ...targets])
        taken.push(...(await deliveries.takeNext(db, target, NOW, 4)))
      expect(taken.map(({ target }) => target)).toEqual(targets)
    })
  },
)
