import { Hono } from 'hono'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Account } from '../domain/account.ts'
import { isHttpUrl } from '../domain/targets.ts'
import {
  changeAccount,
  createAccount,
  deleteAccount,
  type AccountOrder,
} from '../operations/keep-accounts.ts'
import { resetAccount } from '../operations/reset-account.ts'
import * as accounts from '../store/accounts.ts'
import { Billing } from './billing.ts'
import type { ControlContext } from './context.ts'
import { httpUrl, text } from './fields.ts'
import { findAccount } from './find-account.ts'
import { body } from './input.ts'
import { presentAccount } from './present.ts'

const paymentEndpoint = z
  .string()
  .refine((value) => value === '' || isTunnelPath(value) || isHttpUrl(value), {
    error: 'should be an absolute http or https URL, a path below /tunnel/, or empty',
  })

/** Seen as it will be asked for: dots may lead elsewhere. */
const isTunnelPath = (value: string): boolean =>
  value.startsWith('/tunnel/') && new URL(value, 'http://localhost').pathname.startsWith('/tunnel/')

const secretText = z
  .string()
  .regex(/^[A-Za-z0-9]{8,128}$/, { error: 'should be 8 to 128 letters and digits' })

const urlList = z.array(httpUrl).max(100, { error: 'should have at most 100 URLs' })

const Changes = z.strictObject({
  name: text
    .min(1, { error: 'should not be empty' })
    .max(200, { error: 'should have at most 200 characters' })
    .optional(),
  apiKey: secretText.optional(),
  recipientToken: secretText.optional(),
  paymentEndpoint: paymentEndpoint.optional(),
  callbackUrls: urlList.optional(),
  webhookUrls: urlList.optional(),
  billing: Billing.partial().optional(),
  bankTransfer: z.boolean().optional(),
  serviceFee: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,2})?$/, { error: 'should be a percentage as text, like 1.0' })
    .optional(),
})

const Creation = Changes.extend({
  id: z.uuid().optional(),
  environment: z.enum(['development', 'production']).default('development'),
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
      const { environment, billing, ...given } = c.req.valid('json')
      const order: AccountOrder = {
        environment,
        apiKey: newSecret('apiKey', environment),
        recipientToken: newSecret('recipientToken', environment),
        paymentEndpoint: '',
        callbackUrls: [],
        webhookUrls: [],
        billing: defined(billing ?? {}),
        bankTransfer: false,
        serviceFee: '1.0',
        ...defined(given),
        ...ownPath(given, baseUrl(c)),
      }
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

/** Says what it is, as the service's keys of one environment are none of the other. */
function newSecret(secret: z.output<typeof Rotation>['secret'], environment: Account['environment']): string {
  const prefix = secret === 'recipientToken' ? 'rcp' : environment === 'production' ? 'prod' : 'dev'
  return prefix + randomBytes(16).toString('hex')
}

/** Takes a tunnel's address back as it was shown, and keeps the path, which survives another port. */
function ownPath({ paymentEndpoint: given }: { paymentEndpoint?: string | undefined }, baseUrl: string) {
  return given?.startsWith(`${baseUrl}/tunnel/`) && isTunnelPath(given.slice(baseUrl.length))
    ? { paymentEndpoint: given.slice(baseUrl.length) }
    : {}
}

type Defined<Shape> = { [Key in keyof Shape]: Exclude<Shape[Key], undefined> }

/** Leaves out what was not given, so that it cannot overwrite what is there. */
const defined = <Shape extends object>(shape: Shape): Partial<Defined<Shape>> =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Shape>
  >
