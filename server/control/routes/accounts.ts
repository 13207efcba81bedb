import { Hono } from 'hono'
import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { draftAccount, createSecret } from '../../service/operations/accounts/draft-account.ts'
import {
  changeAccount,
  createAccount,
  deleteAccount,
} from '../../service/operations/accounts/manage-accounts.ts'
import { resetAccount } from '../../service/operations/accounts/reset-account.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import { assertTunnelUrls, endpointToTunnelPath } from '../requests/to-tunnel-path.ts'
import { accountFields, environment } from '../../contract/schemas/account-fields.ts'
import type { ControlContext } from '../context.ts'
import { accountId, findAccount } from '../requests/find-account.ts'
import { limit, seq } from '../requests/query-params.ts'
import { body, query } from '../requests/validators.ts'
import { presentAccount } from '../../contract/views.ts'
import { AccountSchema } from '../../contract/schemas/account.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ListQuery = z.strictObject({
  after: seq.default(0).meta({ description: 'The `next` of the last page, to read the next page.' }),
  limit: limit(500),
})

const ChangeBody = z
  .strictObject(accountFields)
  .meta({ examples: [{ paymentEndpoint: 'http://localhost:3000/webhooks/paylink' }] })

const CreateBody = ChangeBody.extend({
  id: z.uuid().optional().meta({ description: 'By default, it is derived from the name.' }),
  environment: environment.default('development'),
}).meta({ examples: [{ name: 'Test 7', bankTransfer: true }] })

const RotateBody = z.strictObject({
  secret: z.enum(['apiKey', 'recipientToken']).meta({ description: 'Which secret to replace.' }),
})

const ResetBody = z.strictObject({})

const params = { id: accountId }

export const accountRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List accounts',
        description: 'Oldest first, with their API keys and recipient tokens.',
        responses: {
          200: z.object({
            accounts: readonlyList(AccountSchema),
            next: z
              .int()
              .nullable()
              .meta({ description: 'Pass it as `after` for the next page. Null at the end.' }),
          }),
        },
      }),
      query(ListQuery),
      async (c) => {
        const { after, limit: most } = c.req.valid('query')
        const page = await accounts.listAfter(store.db, after, most)
        const shown = page.accounts.map((account) => presentAccount(account, baseUrl(c)))
        return c.json({ accounts: shown, next: page.next })
      },
    )
    .post(
      '/',
      describeRoute({
        summary: 'Create an account',
        description:
          'Create one account per test to keep tests independent. Every field is optional; the sandbox generates what is missing.',
        responses: { 201: AccountSchema },
        errors: [409],
      }),
      body(CreateBody),
      async (c) => {
        const fields = c.req.valid('json')
        assertTunnelUrls(fields, baseUrl(c))
        const draft = draftAccount({ ...fields, ...endpointToTunnelPath(fields, baseUrl(c)) })
        const account = await store.transact((work) => createAccount(work, draft))
        return c.json(presentAccount(account, baseUrl(c)), 201)
      },
    )
    .get(
      '/:id',
      describeRoute({
        summary: 'Get an account',
        description: 'With its API key and its recipient token.',
        params,
        responses: { 200: AccountSchema },
        errors: [404],
      }),
      async (c) => {
        return c.json(presentAccount(await findAccount(store.db, c.req.param('id')), baseUrl(c)))
      },
    )
    .patch(
      '/:id',
      describeRoute({
        summary: 'Change an account',
        description: 'Changes the given fields only.',
        params,
        responses: { 200: AccountSchema },
        errors: [404, 409],
      }),
      body(ChangeBody),
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
        summary: 'Replace the API key or recipient token of an account',
        description: 'The old secret stops working at once.',
        params,
        responses: { 200: AccountSchema },
        errors: [404],
      }),
      body(RotateBody),
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
        summary: 'Reset an account',
        description:
          'Restores the account as it was created, and deletes everything that belongs to this account only.',
        params,
        responses: { 200: AccountSchema },
        errors: [404, 409],
      }),
      body(ResetBody),
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
        description: 'An account with links cannot be deleted. Reset it first.',
        params,
        responses: { 204: null },
        errors: [404, 409],
      }),
      async (c) => {
        await store.transact(async (work) =>
          deleteAccount(work, await findAccount(work.db, c.req.param('id'))),
        )
        return c.body(null, 204)
      },
    )
