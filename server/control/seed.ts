import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { prettyJSON } from 'hono/pretty-json'
import { z } from 'zod'
import { targetsOf } from '../operations/announce.ts'
import { addSeed } from '../operations/plant-seed.ts'
import { ownPath } from './account-fields.ts'
import type { ControlContext } from './context.ts'
import { explainIssues, placeOf } from './explain-issues.ts'
import { exportSeed } from './export-seed.ts'
import { findAccount } from './find-account.ts'
import { query } from './input.ts'
import { presentAccount, presentInvoice, presentLink, presentRefund } from './present.ts'
import { Problem } from './problem.ts'
import { SeedFile, seedJsonSchema, seedOf } from './seed-schema.ts'

const Choice = z.strictObject({ account: z.string().optional() })

/** Room for as many links and invoices as a seed may have. */
export const MOST_MEBIBYTES = 32

/** Says of everything that is wrong with a seed where it stands. */
const seedBody = zValidator('json', SeedFile, (result) => {
  if (result.success) return
  const errors = explainIssues(SeedFile, result.error.issues).map(({ path, message }) => ({
    path: placeOf(path),
    message,
  }))
  const first = errors[0]!
  throw new Problem(400, 'Not valid', `${first.path || 'the seed'}: ${first.message}`, { errors })
})

/** Adds what a seed says to what is there, or gives what is there as a seed. */
export const seedRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get('/', query(Choice), prettyJSON({ force: true }), async (c) => {
      const { account } = c.req.valid('query')
      if (account !== undefined) await findAccount(store.db, account)
      return c.json(await store.transact((work) => exportSeed(work, account)))
    })
    .post('/', seedBody, async (c) => {
      const base = baseUrl(c)
      const given = seedOf(c.req.valid('json'))
      const seed = {
        ...given,
        accounts: given.accounts.map((account) => ({ ...account, ...ownPath(account, base) })),
      }
      const planted = await store.transact((work) => addSeed(work, seed))
      return c.json(
        {
          accounts: planted.accounts.map((account) => presentAccount(account, base)),
          links: await Promise.all(
            planted.links.map(async (link) => presentLink(link, await targetsOf(store, link), base)),
          ),
          refunds: planted.refunds.map(presentRefund),
          invoices: planted.invoices.map(presentInvoice),
        },
        201,
      )
    })
    .get('/schema', prettyJSON({ force: true }), (c) => c.json(seedJsonSchema()))
