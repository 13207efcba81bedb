import { Hono } from 'hono'
import { z } from 'zod'
import { reset, undoReset } from '../../service/operations/state/reset.ts'
import type { ControlContext } from '../context.ts'
import { body } from '../requests/validators.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ResetBody = z.strictObject({
  to: z
    .enum(['seed', 'empty'])
    .default('seed')
    .meta({ description: 'Whether to load the seed, or start without accounts.' }),
})

const UndoBody = z.strictObject({
  epoch: z.string().optional().meta({
    description:
      'The `epoch` from the response of the reset. Without it, the last reset is undone, even if someone else started it.',
  }),
})

const epoch = z.string().meta({ description: 'The new epoch of the journal.' })

export const resetRoutes = ({ store, initialState, snapshots }: ControlContext) =>
  new Hono()
    .post(
      '/',
      describeRoute({
        summary: 'Reset the sandbox',
        description:
          'Resets accounts, links, journal, behaviors, clock and ids to the state of the first start. The next link is 1001.',
        responses: { 200: z.object({ to: z.enum(['seed', 'empty']), epoch }) },
      }),
      body(ResetBody),
      async (c) => {
        const { to } = c.req.valid('json')
        const newEpoch = await store.transact((work) => reset(work, to, initialState, snapshots))
        await store.compact()
        return c.json({ to, epoch: newEpoch })
      },
    )
    .post(
      '/undo',
      describeRoute({
        summary: 'Undo the last reset',
        description: 'Works once per reset. With `epoch`, it fails if another reset followed.',
        responses: { 200: z.object({ epoch }) },
        errors: [409],
      }),
      body(UndoBody),
      async (c) => {
        const { epoch: undone } = c.req.valid('json')
        return c.json({ epoch: await store.transact((work) => undoReset(work, snapshots, undone)) })
      },
    )
