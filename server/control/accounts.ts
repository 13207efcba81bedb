import { Hono } from 'hono'
import { z } from 'zod'
import { defined } from '../domain/defined.ts'
import { draftAccount, newSecret } from '../operations/draft-account.ts'
import { changeAccount, createAccount, deleteAccount } from '../operations/keep-accounts.ts'
import { resetAccount } from '../operations/reset-account.ts'
import * as accounts from '../store/accounts.ts'
import { accountFields, environment, ownPath } from './account-fields.ts'
import type { ControlContext } from './context.ts'
import { findAccount } from './find-account.ts'
import { body } from './input.ts'
import { presentAccount } from './present.ts'

const Changes = z.strictObject(accountFields)

const Creation = Changes.extend({
  id: z.uuid().optional(),
  environment: environment.default('development'),
})

const Rotation = z.strictObject({ secret: z.enum(['apiKey', 'recipientToken']) })

/** An account goes back to how it was made, and to nothing else. */
const NOTHING = z.strictObject({})

export const accountRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get('/', async (c) => {
      const all = await accounts.list(store.db)
      return c.json({ accounts: all.map((account) => presentAccount(account, baseUrl(c))) })
    })
    .post('/', body(Creation), async (c) => {
      const given = c.req.valid('json')
      const order = draftAccount({ ...given, ...ownPath(given, baseUrl(c)) })
      const account = await store.transact((work) => createAccount(work, order))
      return c.json(presentAccount(account, baseUrl(c)), 201)
    })
    .get('/:id', async (c) => {
      return c.json(presentAccount(await findAccount(store.db, c.req.param('id')), baseUrl(c)))
    })
    .patch('/:id', body(Changes), async (c) => {
      const { billing, ...given } = c.req.valid('json')
      const changed = await store.transact(async (work) => {
        const account = await findAccount(work.db, c.req.param('id'))
        if (Object.keys(c.req.valid('json')).length === 0) return account
        return changeAccount(work, {
          ...account,
          ...defined(given),
          ...ownPath(given, baseUrl(c)),
          billing: { ...account.billing, ...defined(billing ?? {}) },
        })
      })
      return c.json(presentAccount(changed, baseUrl(c)))
    })
    .post('/:id/rotate', body(Rotation), async (c) => {
      const { secret } = c.req.valid('json')
      const changed = await store.transact(async (work) => {
        const account = await findAccount(work.db, c.req.param('id'))
        return changeAccount(work, { ...account, [secret]: newSecret(secret, account.environment) })
      })
      return c.json(presentAccount(changed, baseUrl(c)))
    })
    .post('/:id/reset', body(NOTHING), async (c) => {
      const account = await store.transact(async (work) =>
        resetAccount(work, await findAccount(work.db, c.req.param('id'))),
      )
      return c.json(presentAccount(account, baseUrl(c)))
    })
    .delete('/:id', async (c) => {
      await store.transact(async (work) => deleteAccount(work, await findAccount(work.db, c.req.param('id'))))
      return c.body(null, 204)
    })
