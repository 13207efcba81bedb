import { Hono } from 'hono'
import { z } from 'zod'
import { behaviorNames, type BehaviorName } from '../../domain/behaviors/behavior.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as counts from '../../store/journal/counts.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import * as invoices from '../../store/repositories/invoices.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { query } from '../requests/input.ts'
import { presentClock, presentInvoice, type InfoView } from '../../contract/views.ts'
import { ClockSchema } from '../../contract/schemas/clock.ts'
import { readonlyList, schemaFor } from '../../contract/schemas/fields.ts'
import { InvoiceSchema } from '../../contract/schemas/invoice.ts'
import { RunReportSchema } from '../../contract/schemas/run.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Listing = z.strictObject({ account: accountParam })

/** Key by key, as a linter of documents knows no other way to require them. */
const valuesByName = Object.fromEntries(behaviorNames.map((name) => [name, z.string()])) as Record<
  BehaviorName,
  z.ZodString
>

const Info = schemaFor<InfoView>()(
  z
    .object({
      version: z.string(),
      url: z.string().meta({ description: 'The base of the links in answers.' }),
      epoch: z.string().optional().meta({ description: 'Which life of the journal this is.' }),
      clock: ClockSchema,
      counts: z
        .object({
          accounts: z.int(),
          links: z.int(),
          refunds: z.int(),
          invoices: z.int(),
          deliveries: z.int(),
          events: z.int(),
        })
        .meta({ description: 'How much there is of everything.' }),
      journal: z
        .object({ oldest: z.int(), head: z.int() })
        .meta({ description: 'The first and the last `seq`, 0 where there is none.' }),
      allowedHosts: readonlyList(z.string()).meta({
        description: 'Where webhooks may go, beyond this machine and private networks.',
      }),
      behaviors: z.object(valuesByName).meta({ description: 'The values in force for all accounts.' }),
      run: RunReportSchema,
    })
    .meta({ id: 'Info', description: 'The sandbox at a glance.' }),
)

export const infoRoutes = ({ store, version, baseUrl, runReport }: ControlContext) =>
  new Hono()
    .get(
      '/info',
      describeRoute({
        summary: 'Look at the sandbox',
        description: 'Its version, its address, its clock, how much it holds, and the behaviors in force.',
        answers: { 200: Info },
      }),
      async (c) => {
        return c.json({
          version,
          url: baseUrl(c),
          epoch: await epoch.current(store.db),
          clock: presentClock(store.time()),
          counts: await counts.countAll(store.db),
          journal: await events.range(store.db),
          allowedHosts: (await egressRules.read(store.db)).allowedHosts,
          behaviors: await behaviors.settings(store.db),
          run: runReport(),
        })
      },
    )
    .get(
      '/invoices',
      describeRoute({
        summary: 'List tax invoices',
        description: 'Those of the newest month first.',
        answers: { 200: z.object({ invoices: readonlyList(InvoiceSchema) }) },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { account: accountId } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        const found = await invoices.list(store.db, accountId)
        return c.json({ invoices: found.map(presentInvoice) })
      },
    )
