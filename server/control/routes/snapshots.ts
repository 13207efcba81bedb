import { Hono } from 'hono'
import { z } from 'zod'
import { SNAPSHOT_NAME_PATTERN } from '../../domain/state/snapshot.ts'
import { deleteSnapshot, restoreSnapshot, takeSnapshot } from '../../operations/state/snapshots.ts'
import type { ControlContext } from '../context.ts'
import { body } from '../requests/input.ts'
import { notFound } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { SnapshotSchema } from '../../contract/schemas/snapshot.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Taking = z.strictObject({
  name: z
    .string()
    .regex(SNAPSHOT_NAME_PATTERN, {
      error: 'should be 1 to 64 lower-case letters, digits, - and _, and begin with a letter or a digit',
    })
    .meta({ description: 'What to call it.', examples: ['three-paid-links'] }),
  replace: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether it may take the place of one that has the name already.' }),
})

export const snapshotPath = {
  name: z.string().meta({ description: 'The name of the snapshot.', examples: ['three-paid-links'] }),
}

/** Any other name is a path to somewhere else. */
export function validateSnapshotName(name: string): string {
  if (!SNAPSHOT_NAME_PATTERN.test(name)) throw notFound('There is no snapshot of that name.')
  return name
}

export const snapshotRoutes = ({ store, snapshots }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List snapshots',
        description: 'By name, with the time, the size and what is wrong with the file, if anything is.',
        answers: { 200: z.object({ snapshots: readonlyList(SnapshotSchema) }) },
      }),
      (c) => c.json({ snapshots: snapshots.list() }),
    )
    .post(
      '/',
      describeRoute({
        summary: 'Take a snapshot',
        description:
          'A copy of everything, to go back to. 409 if the name is taken, unless `replace` is true.',
        answers: { 201: SnapshotSchema },
        problems: [409, 422],
      }),
      body(Taking),
      async (c) => {
        const { name, replace } = c.req.valid('json')
        return c.json(await store.transact((work) => takeSnapshot(work, snapshots, name, replace)), 201)
      },
    )
    .post(
      '/:name/restore',
      describeRoute({
        summary: 'Restore a snapshot',
        description:
          'Everything is as it was then, and the journal goes on from there. Webhooks that waited go out.',
        path: snapshotPath,
        answers: { 200: z.object({ name: z.string(), epoch: z.string() }) },
        problems: [404, 409],
      }),
      async (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        const migrated = await snapshots.migrated(name)
        const epoch = await store
          .transact((work) => restoreSnapshot(work, snapshots, name, migrated))
          .finally(() => migrated?.close())
        return c.json({ name, epoch })
      },
    )
    .delete(
      '/:name',
      describeRoute({
        summary: 'Delete a snapshot',
        description: 'And its file.',
        path: snapshotPath,
        answers: { 204: null },
        problems: [404],
      }),
      async (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        await store.transact(async (work) => deleteSnapshot(work, snapshots, name))
        return c.body(null, 204)
      },
    )
