import { Hono, type Env, type MiddlewareHandler } from 'hono'
import { prettyJSON } from 'hono/pretty-json'
import { validator } from 'hono/validator'
import { z } from 'zod'
import { addSeed } from '../../service/operations/seed/seed-sandbox.ts'
import { endpointToTunnelPath } from '../requests/to-tunnel-path.ts'
import type { ControlContext } from '../context.ts'
import { exportSeed } from '../export/export-seed.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { query } from '../requests/validators.ts'
import { presentAccount, presentInvoice, presentRefund } from '../../contract/views.ts'
import { presentLinks } from '../present-links.ts'
import { asSentence } from '../../domain/text/as-sentence.ts'
import { invalid } from '../requests/problem.ts'
import { parseSeedFile } from '../../contract/seed/parse-seed-file.ts'
import { SeedFileSchema, createSeedJsonSchema, toSeed } from '../../contract/seed/seed-schema.ts'
import { JsonSchemaDocument, LoadedSeedSchema, ExportedSeedSchema } from '../../contract/schemas/seed.ts'
import { withDescription, describeRoute } from '../requests/describe-route.ts'
import { respondInTurns } from '../requests/respond-in-turns.ts'

const ExportQuery = z.strictObject({ account: accountParam })

/** Large enough for the maximum number of links and invoices. */
export const MAX_MEBIBYTES = 32

type SeedBody = MiddlewareHandler<
  Env,
  string,
  { in: { json: z.input<typeof SeedFileSchema> }; out: { json: z.output<typeof SeedFileSchema> } }
>

/** Errors name the place of each mistake, as they do for a seed file. */
const seedBody = withDescription(
  validator('json', (value: unknown) => {
    const parsed = parseSeedFile(value)
    if ('file' in parsed) return parsed.file
    const { first: errors, isAll } = parsed.mistakes
    const { path, message } = errors[0]!
    const more = isAll ? '' : ` The first ${errors.length} mistakes are listed, and there are more.`
    throw invalid(`${path || 'The seed'}: ${asSentence(message)}${more}`, { errors })
  }) as SeedBody,
  { body: SeedFileSchema },
)

export const seedRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'Export the current state as a seed',
        description:
          'With `account`: that account, its data, and the accounts that share in its links. Without the journal, webhooks, and behaviors set at startup.',
        responses: { 200: ExportedSeedSchema },
        errors: [404, 409],
      }),
      query(ExportQuery),
      async (c) => {
        const { account } = c.req.valid('query')
        await assertAccountExists(store.db, account)
        const seed = await store.transact((work) => exportSeed(work, account))
        return respondInTurns(c, seed, 2)
      },
    )
    .post(
      '/',
      describeRoute({
        summary: 'Add a seed to the current state',
        description:
          'Adds everything or nothing. Links get the events that lead to their state, and no webhooks are sent.',
        responses: { 201: LoadedSeedSchema },
        errors: [409, 422],
      }),
      seedBody,
      async (c) => {
        const base = baseUrl(c)
        const requested = toSeed(c.req.valid('json'))
        const seed = {
          ...requested,
          accounts: requested.accounts.map((account) => ({
            ...account,
            ...endpointToTunnelPath(account, base),
          })),
        }
        const loaded = await store.transact(async (work) => {
          const { accounts, links, refunds, invoices } = await addSeed(work, seed)
          return {
            accounts: accounts.map((account) => presentAccount(account, base)),
            links: await presentLinks(work.db, links, base),
            refunds: refunds.map(presentRefund),
            invoices: invoices.map(presentInvoice),
          }
        })
        return c.json(loaded, 201)
      },
    )
    .get(
      '/schema',
      describeRoute({
        summary: 'Get the JSON Schema of seeds',
        description: 'For editors that complete and check a seed file.',
        responses: { 200: JsonSchemaDocument },
      }),
      prettyJSON({ force: true }),
      (c) => c.json(createSeedJsonSchema()),
    )
