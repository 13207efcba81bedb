import { Hono } from 'hono'
import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { draftAccount, createSecret } from '../../operations/accounts/draft-account.ts'
import { changeAccount, createAccount, deleteAccount } from '../../operations/accounts/accounts.ts'
import { resetAccount } from '../../operations/accounts/reset-account.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import { assertTunnelUrls, endpointToTunnelPath } from '../requests/to-tunnel-path.ts'
import { accountFields, environment } from '../../contract/schemas/account-fields.ts'
import type { ControlContext } from '../context.ts'
import { accountId, findAccount } from '../requests/find-account.ts'
import { body } from '../requests/input.ts'
import { presentAccount } from '../../contract/views.ts'
import { AccountSchema } from '../../contract/schemas/account.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Changes = z
  .strictObject(accountFields)
  .meta({ examples: [{ paymentEndpoint: 'http://localhost:3000/webhooks/paylink' }] })

const Creation = Changes.extend({
  id: z.uuid().optional().meta({ description: 'One that follows from the name where it is left out.' }),
  environment: environment.default('development'),
}).meta({ examples: [{ name: 'Test 7', bankTransfer: true }] })

const Rotation = z.strictObject({
  secret: z.enum(['apiKey', 'recipientToken']).meta({ description: 'Which of the two to replace.' }),
})

/** An account goes back to how it was made, and to nothing else. */
const NOTHING = z.strictObject({})

const path = { id: accountId }

export const accountRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List accounts',
        description: 'In the order in which they were made, with their API keys and recipient tokens.',
        answers: { 200: z.object({ accounts: readonlyList(AccountSchema) }) },
      }),
      async (c) => {
        const all = await accounts.list(store.db)
        return c.json({ accounts: all.map((account) => presentAccount(account, baseUrl(c))) })
      },
    )
    .post(
      '/',
      describeRoute({
        summary: 'Create an account',
        description:
          'With an account of its own a test shares nothing with any other. Whatever is left out is made up.',
        answers: { 201: AccountSchema },
        problems: [409],
      }),
      body(Creation),
      async (c) => {
        const given = c.req.valid('json')
        assertTunnelUrls(given, baseUrl(c))
        const order = draftAccount({ ...given, ...endpointToTunnelPath(given, baseUrl(c)) })
        const account = await store.transact((work) => createAccount(work, order))
        return c.json(presentAccount(account, baseUrl(c)), 201)
      },
    )
    .get(
      '/:id',
      describeRoute({
        summary: 'Get an account',
        description: 'With its API key and its recipient token.',
        path,
        answers: { 200: AccountSchema },
        problems: [404],
      }),
      async (c) => {
        return c.json(presentAccount(await findAccount(store.db, c.req.param('id')), baseUrl(c)))
      },
    )
    .patch(
      '/:id',
      describeRoute({
        summary: 'Change an account',
        description: 'What is left out stays as it is.',
        path,
        answers: { 200: AccountSchema },
        problems: [404, 409],
      }),
      body(Changes),
      async (c) => {
        const { billing, ...given } = c.req.valid('json')
        assertTunnelUrls(given, baseUrl(c))
        const changed = await store.transact(async (work) => {
          const account = await findAccount(work.db, c.req.param('id'))
          if (Object.keys(c.req.valid('json')).length === 0) return account
          return changeAccount(work, {
            ...account,
            ...omitUndefined(given),
            ...endpointToTunnelPath(given, baseUrl(c)),
            billing: { ...account.billing, ...omitUndefined(billing ?? {}) },
          })
        })
        return c.json(presentAccount(changed, baseUrl(c)))
      },
    )
    .post(
      '/:id/rotate',
      describeRoute({
        summary: 'Give an account a new key or token',
        description: 'The one before stops working.',
        path,
        answers: { 200: AccountSchema },
        problems: [404],
      }),
      body(Rotation),
      async (c) => {
        const { secret } = c.req.valid('json')
        const changed = await store.transact(async (work) => {
          const account = await findAccount(work.db, c.req.param('id'))
          return changeAccount(work, { ...account, [secret]: createSecret(secret, account.environment) })
        })
        return c.json(presentAccount(changed, baseUrl(c)))
      },
    )
    .post(
      '/:id/reset',
      describeRoute({
        summary: 'Take back what an account did',
        description: 'It is as it was made, and what is of no other account is gone.',
        path,
        answers: { 200: AccountSchema },
        problems: [404, 409],
      }),
      body(NOTHING),
      async (c) => {
        const account = await store.transact(async (work) =>
          resetAccount(work, await findAccount(work.db, c.req.param('id'))),
        )
        return c.json(presentAccount(account, baseUrl(c)))
      },
    )
    .delete(
      '/:id',
      describeRoute({
        summary: 'Delete an account',
        description: 'One that has links stays, until a reset removes them together.',
        path,
        answers: { 204: null },
        problems: [404, 409],
      }),
      async (c) => {
        await store.transact(async (work) =>
          deleteAccount(work, await findAccount(work.db, c.req.param('id'))),
        )
        return c.body(null, 204)
      },
    )
