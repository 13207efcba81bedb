import { Hono } from 'hono'
import { z } from 'zod'
import { SNAPSHOT_NAME } from '../domain/snapshot-name.ts'
import { deleteSnapshot, restoreSnapshot, takeSnapshot } from '../operations/keep-snapshots.ts'
import type { ControlContext } from './context.ts'
import { body } from './input.ts'
import { notFound } from './problem.ts'

const Taking = z.strictObject({
  name: z.string().regex(SNAPSHOT_NAME, {
    error: 'should be 1 to 64 lower-case letters, digits, - and _, and begin with a letter or a digit',
  }),
  replace: z.boolean().default(false),
})

/** Any other name is a path to somewhere else. */
export function accept(name: string): string {
  if (!SNAPSHOT_NAME.test(name)) throw notFound('There is no snapshot of that name.')
  return name
}

export const snapshotRoutes = ({ store, snapshots }: ControlContext) =>
  new Hono()
    .get('/', (c) => c.json({ snapshots: snapshots.list() }))
    .post('/', body(Taking), async (c) => {
      const { name, replace } = c.req.valid('json')
      return c.json(await store.transact((work) => takeSnapshot(work, snapshots, name, replace)), 201)
    })
    .post('/:name/restore', async (c) => {
      const name = accept(c.req.param('name'))
      const migrated = await snapshots.migrated(name)
      const epoch = await store
        .transact((work) => restoreSnapshot(work, snapshots, name, migrated))
        .finally(() => migrated?.close())
      return c.json({ name, epoch })
    })
    .delete('/:name', async (c) => {
      const name = accept(c.req.param('name'))
      await store.transact(async () => deleteSnapshot(snapshots, name))
      return c.body(null, 204)
    })
