import { Hono } from 'hono'
import { z } from 'zod'
import { SNAPSHOT_NAME_PATTERN } from '../../domain/state/snapshot.ts'
import { deleteSnapshot, restoreSnapshot, takeSnapshot } from '../../service/operations/state/snapshots.ts'
import type { ControlContext } from '../context.ts'
import { body } from '../requests/validators.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { visibleValue } from '../../domain/text/visible.ts'
import { unknownId } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { SnapshotSchema } from '../../contract/schemas/snapshot.ts'
import { describeRoute } from '../requests/describe-route.ts'

const TakeBody = z.strictObject({
  name: z
    .string()
    .regex(SNAPSHOT_NAME_PATTERN, {
      error: 'should be 1 to 64 lower-case letters, digits, - and _, and begin with a letter or a digit',
    })
    .meta({ description: 'The name of the snapshot.', examples: ['three-paid-links'] }),
  replace: z.boolean().default(false).meta({ description: 'Whether to replace a snapshot of this name.' }),
})

export const snapshotParams = {
  name: z.string().meta({ description: 'The name of the snapshot.', examples: ['three-paid-links'] }),
}

/** Validates the name of a snapshot, because the name becomes part of a file path. */
export function validateSnapshotName(name: string): string {
  const unknown = visibleValue(truncate(name, 100))
  if (!SNAPSHOT_NAME_PATTERN.test(name)) throw unknownId('snapshot', unknown, 'GET /snapshots')
  return name
}

export const snapshotRoutes = ({ store, snapshots }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List snapshots',
        description: 'By name, with time, size, and the problem of a file that cannot be restored.',
        responses: { 200: z.object({ snapshots: readonlyList(SnapshotSchema) }) },
      }),
      (c) => c.json({ snapshots: snapshots.list() }),
    )
    .post(
      '/',
      describeRoute({
        summary: 'Take a snapshot',
        description: 'Saves the whole state. 409 if the name is taken, unless `replace` is true.',
        responses: { 201: SnapshotSchema },
        errors: [409, 422],
      }),
      body(TakeBody),
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
          'Restores the whole state, and continues its journal. Webhooks that were pending are sent.',
        params: snapshotParams,
        responses: { 200: z.object({ name: z.string(), epoch: z.string() }) },
        errors: [404, 409],
      }),
      async (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        const epoch = await store.transact((work) => restoreSnapshot(work, snapshots, name))
        return c.json({ name, epoch })
      },
    )
    .delete(
      '/:name',
      describeRoute({
        summary: 'Delete a snapshot',
        description: 'Deletes its file.',
        params: snapshotParams,
        responses: { 204: null },
        errors: [404],
      }),
      async (c) => {
        const name = validateSnapshotName(c.req.param('name'))
        await store.transact(async (work) => deleteSnapshot(work, snapshots, name))
        return c.body(null, 204)
      },
    )
