import { Hono } from 'hono'
import { z } from 'zod'
import type { Fault } from '../../domain/faults/fault.ts'
import { addFault, removeFault } from '../../service/operations/settings/faults.ts'
import * as faults from '../../store/repositories/faults.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { FaultBody } from '../../contract/schemas/fault-body.ts'
import { toFaultDraft } from '../requests/to-fault-draft.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { parseId } from '../requests/query-params.ts'
import { body, query } from '../requests/validators.ts'
import { presentFault } from '../../contract/views.ts'
import { unknownId } from '../requests/problem.ts'
import { FaultSchema } from '../../contract/schemas/fault.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ScopeQuery = z.strictObject({
  account: accountParam.meta({ description: 'Only calls, webhooks and redirects of this account.' }),
})

const ListQuery = z.strictObject({ account: accountParam })

const Faults = z.object({ faults: readonlyList(FaultSchema) })

const params = { id: z.string().meta({ description: 'The id of the fault.', examples: ['1'] }) }

export const faultRoutes = ({ store }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List faults',
        description: 'Oldest first: all faults, or those of one account.',
        responses: { 200: Faults },
        errors: [404],
      }),
      query(ListQuery),
      async (c) => {
        const { account } = c.req.valid('query')
        await assertAccountExists(store.db, account)
        return c.json({ faults: (await faults.list(store.db, account)).map(presentFault) })
      },
    )
    .post(
      '/',
      describeRoute({
        summary: 'Add a fault',
        description: 'If several faults match a call, webhook or redirect, the oldest is applied.',
        responses: { 201: FaultSchema },
        errors: [404, 409],
      }),
      query(ScopeQuery),
      body(FaultBody),
      async (c) => {
        const { account } = c.req.valid('query')
        await assertAccountExists(store.db, account)
        const draft = toFaultDraft(c.req.valid('json'), account ?? null)
        const fault = await store.transact((work) => addFault(work, draft))
        return c.json(presentFault(fault), 201)
      },
    )
    .delete(
      '/',
      describeRoute({
        summary: 'Remove all faults',
        description: 'All faults, or those of one account. Answers with the removed faults.',
        responses: { 200: Faults },
        errors: [404],
      }),
      query(ListQuery),
      async (c) => {
        const { account } = c.req.valid('query')
        await assertAccountExists(store.db, account)
        const removed = await store.transact(async (work) => {
          const all = await faults.list(work.db, account)
          for (const fault of all) await removeFault(work, fault)
          return all
        })
        return c.json({ faults: removed.map(presentFault) })
      },
    )
    .delete(
      '/:id',
      describeRoute({
        summary: 'Remove a fault',
        description: 'Answers with the fault and how often it was applied.',
        params,
        responses: { 200: FaultSchema },
        errors: [404],
      }),
      async (c) => {
        const id = parseId(c.req.param('id'))
        const fault = await store.transact(async (work): Promise<Fault> => {
          const found = id === undefined ? undefined : await faults.find(work.db, id)
          if (!found) throw unknownId('fault', c.req.param('id'), 'GET /faults')
          await removeFault(work, found)
          return found
        })
        return c.json(presentFault(fault))
      },
    )
