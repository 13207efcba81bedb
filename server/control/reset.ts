import { Hono } from 'hono'
import { z } from 'zod'
import { BEFORE_RESET } from '../domain/snapshot-name.ts'
import { reset, undoReset } from '../operations/reset.ts'
import type { ControlContext } from './context.ts'
import { body } from './input.ts'

const Reset = z.strictObject({ to: z.enum(['seed', 'empty']).default('seed') })

/** The epoch that the reset to undo has answered with. Without one it is the last, whoever's that is. */
const Undo = z.strictObject({ epoch: z.string().optional() })

export const resetRoutes = ({ store, beginning, snapshots }: ControlContext) =>
  new Hono()
    .post('/', body(Reset), async (c) => {
      const { to } = c.req.valid('json')
      const epoch = await store.transact((work) => reset(work, to, beginning, snapshots))
      await store.compact()
      return c.json({ to, epoch })
    })
    .post('/undo', body(Undo), async (c) => {
      const { epoch } = c.req.valid('json')
      // One of before an update. Whatever a reset takes now needs no other schema.
      const migrated = await snapshots.migrated(BEFORE_RESET)
      const restored = await store
        .transact((work) => undoReset(work, snapshots, migrated, epoch))
        .finally(() => migrated?.close())
      return c.json({ epoch: restored })
    })
