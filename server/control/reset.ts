import { Hono } from 'hono'
import { z } from 'zod'
import { reset, undoReset } from '../operations/reset.ts'
import * as epoch from '../store/epoch.ts'
import type { ControlContext } from './context.ts'
import { body } from './input.ts'

const Reset = z.strictObject({ to: z.enum(['seed', 'empty']).default('seed') })

export const resetRoutes = ({ store, seed, snapshots }: ControlContext) =>
  new Hono()
    .post('/', body(Reset), async (c) => {
      const { to } = c.req.valid('json')
      await store.transact((work) => reset(work, to, seed, snapshots))
      await store.compact()
      return c.json({ to, epoch: await epoch.current(store.db) })
    })
    .post('/undo', async (c) => {
      await store.transact((work) => undoReset(work, snapshots))
      return c.json({ epoch: await epoch.current(store.db) })
    })
