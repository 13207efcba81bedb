import { Hono } from 'hono'
import { prettyJSON } from 'hono/pretty-json'
import { validator } from 'hono/validator'
import { z } from 'zod'
import { webhookTargets } from '../../operations/webhooks/enqueue-webhooks.ts'
import { addSeed } from '../../operations/state/seed-sandbox.ts'
import { endpointToTunnelPath } from '../requests/to-tunnel-path.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { ControlContext } from '../context.ts'
import { exportSeed } from '../export/export-seed.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { query } from '../requests/input.ts'
import { presentAccount, presentInvoice, presentLink, presentRefund } from '../../contract/views.ts'
import { Problem } from '../requests/problem.ts'
import { parseSeedFile } from '../../contract/seed/parse-seed-file.ts'
import { SeedFileSchema, createSeedJsonSchema, toSeed } from '../../contract/seed/seed-schema.ts'
import { JsonSchemaDocument, LoadedSeedSchema, ExportedSeedSchema } from '../../contract/schemas/seed.ts'
import { withDescription, describeRoute } from '../requests/describe-route.ts'

const Choice = z.strictObject({ account: accountParam })

/** Room for as many links and invoices as a seed may have. */
export const MAX_MEBIBYTES = 32

/** Says of what is wrong with a seed where it stands. */
const seedBody = withDescription(
  validator('json', (value: z.input<typeof SeedFileSchema>) => {
    const read = parseSeedFile(value)
    if ('file' in read) return read.file
    const { first: errors, isAll } = read.mistakes
    const { path, message } = errors[0]!
    const more = isAll ? '' : `. The first ${errors.length} mistakes are listed, and there are more`
    throw new Problem(400, 'Not valid', `${path || 'the seed'}: ${message}${more}`, { errors })
  }),
  { body: SeedFileSchema },
)

/** Adds what a seed says to what is there, or gives what is there as a seed. */
export const seedRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'Export what there is as a seed',
        description:
          'With `account` it is that account, what is its own, and the accounts that share in its links. The journal, webhooks and behaviors given to the start are not in it.',
        answers: { 200: ExportedSeedSchema },
        problems: [404, 409],
      }),
      query(Choice),
      prettyJSON({ force: true }),
      async (c) => {
        const { account: accountId } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        return c.json(await store.transact((work) => exportSeed(work, accountId)))
      },
    )
    .post(
      '/',
      describeRoute({
        summary: 'Plant a seed beside what is there',
        description:
          'All of it or nothing. Links come with the events that would have led there, and send no webhook.',
        answers: { 201: LoadedSeedSchema },
        problems: [409, 422],
      }),
      seedBody,
      async (c) => {
        const base = baseUrl(c)
        const given = toSeed(c.req.valid('json'))
        const seed = {
          ...given,
          accounts: given.accounts.map((one) => ({ ...one, ...endpointToTunnelPath(one, base) })),
        }
        const planted = await store.transact((work) => addSeed(work, seed))
        const maps = await egressRules.maps(store.db)
        return c.json(
          {
            accounts: planted.accounts.map((one) => presentAccount(one, base)),
            links: await Promise.all(
              planted.links.map(async (link) =>
                presentLink(link, await webhookTargets(store, link), base, maps),
              ),
            ),
            refunds: planted.refunds.map(presentRefund),
            invoices: planted.invoices.map(presentInvoice),
          },
          201,
        )
      },
    )
    .get(
      '/schema',
      describeRoute({
        summary: 'The JSON Schema of seeds',
        description: 'For editors that complete and check a seed file.',
        answers: { 200: JsonSchemaDocument },
      }),
      prettyJSON({ force: true }),
      (c) => c.json(createSeedJsonSchema()),
    )
