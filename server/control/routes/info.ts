import { Hono } from 'hono'
import { z } from 'zod'
import { behaviorNames } from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as counts from '../../store/journal/counts.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { ControlContext } from '../context.ts'
import { presentClock, type InfoView } from '../../contract/views.ts'
import { ClockSchema } from '../../contract/schemas/clock.ts'
import { databaseEngine, readonlyList, replica, schemaFor } from '../../contract/schemas/fields.ts'
import { RunReportSchema } from '../../contract/schemas/run.ts'
import { describeRoute } from '../requests/describe-route.ts'

/** An object with each behavior as a key. If it were a record, linters of OpenAPI documents would see each key as optional. */
const valuesByName = Object.fromEntries(behaviorNames.map((name) => [name, z.string()])) as Record<
  BehaviorName,
  z.ZodString
>

const Info = schemaFor<InfoView>()(
  z
    .object({
      version: z.string(),
      database: databaseEngine,
      url: z.string().meta({ description: 'The base of the links in answers.' }),
      epoch: z
        .string()
        .optional()
        .meta({ description: 'Epoch of the journal; a reset or a restore begins another one.' }),
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
        .meta({ description: 'How many of each there are.' }),
      journal: z
        .object({ oldest: z.int(), head: z.int() })
        .meta({ description: 'The `seq` of the oldest and of the newest event, 0 if there is none.' }),
      allowedHosts: readonlyList(z.string()).meta({
        description:
          'Public hosts that webhooks may go to. This machine and private networks are always allowed.',
      }),
      upstream: z.string().nullable().meta({
        description:
          'The origin of the upstream that answers the calls. Null if the sandbox answers them itself.',
      }),
      replica: replica.optional(),
      behaviors: z.object(valuesByName).meta({ description: 'The active values for all accounts.' }),
      run: RunReportSchema,
    })
    .meta({ id: 'Info', description: 'An overview of the sandbox.' }),
)

export const infoRoute = ({
  store,
  version,
  database,
  replica: self,
  upstream,
  baseUrl,
  runReport,
}: ControlContext) =>
  new Hono().get(
    '/info',
    describeRoute({
      summary: 'Get an overview of the sandbox',
      description: 'Version, address, clock, counts, active behaviors, and what this run has used.',
      responses: { 200: Info },
    }),
    async (c) =>
      c.json({
        version,
        url: baseUrl(c),
        epoch: await epoch.current(store.db),
        clock: presentClock(store.time()),
        counts: await counts.countAll(store.db),
        journal: await events.range(store.db),
        allowedHosts: (await egressRules.read(store.db)).allowedHosts,
        database,
        upstream: upstream?.origin ?? null,
        replica: self && {
          role: 'leader' as const,
          leader: self.url,
          followers: (await self.followers()).map((follower) => follower.url),
        },
        behaviors: await behaviors.settings(store.db),
        run: runReport(),
      }),
  )
