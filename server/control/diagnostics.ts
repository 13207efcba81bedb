import { Hono } from 'hono'
import { z } from 'zod'
import { isAtLeast, severities } from '../domain/diagnostic.ts'
import * as diagnostics from '../store/diagnostics.ts'
import type { ControlContext } from './context.ts'
import { limit, query, seq } from './input.ts'

const Listing = z.strictObject({
  account: z.string().optional(),
  /** Those that matter as much, or more. */
  severity: z.enum(severities).default('hint'),
  after: seq.optional(),
  limit: limit(100),
})

/** What was found about what integrators sent and answered, in order. */
export const diagnosticRoutes = ({ store }: ControlContext) =>
  new Hono().get('/', query(Listing), async (c) => {
    const { account, severity, after, limit: most } = c.req.valid('query')
    const found = await diagnostics.list(
      store.db,
      {
        severities: severities.filter((one) => isAtLeast(one, severity)),
        ...(account === undefined ? {} : { accountId: account }),
        ...(after === undefined ? {} : { after }),
      },
      most,
    )
    return c.json({ diagnostics: found })
  })
