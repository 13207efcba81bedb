import { Hono } from 'hono'
import { z } from 'zod'
import { BEFORE_RESET_SNAPSHOT } from '../../domain/state/snapshot.ts'
import { reset, undoReset } from '../../operations/state/reset.ts'
import type { ControlContext } from '../context.ts'
import { body } from '../requests/input.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Reset = z.strictObject({
  to: z
    .enum(['seed', 'empty'])
    .default('seed')
    .meta({ description: 'With the accounts of the seed, or with none.' }),
})

/** The epoch that the reset to undo has answered with. Without one it is the last, whoever's that is. */
const Undo = z.strictObject({
  epoch: z.string().optional().meta({
    description: 'What the reset to undo has answered. Without it the last is undone, whoever did it.',
  }),
})

const epoch = z.string().meta({ description: 'The life of the journal that has begun.' })

export const resetRoutes = ({ store, beginning, snapshots }: ControlContext) =>
  new Hono()
    .post(
      '/',
      describeRoute({
        summary: 'Take everything back',
        description:
          'Accounts, links, journal, behaviors, clock and ids are as at the first start. The next link is 1001.',
        answers: { 200: z.object({ to: z.enum(['seed', 'empty']), epoch }) },
      }),
      body(Reset),
      async (c) => {
        const { to } = c.req.valid('json')
        const begun = await store.transact((work) => reset(work, to, beginning, snapshots))
        await store.compact()
        return c.json({ to, epoch: begun })
      },
    )
    .post(
      '/undo',
      describeRoute({
        summary: 'Bring back what the last reset took',
        description: 'Once for each reset. With `epoch`, only if no other reset came after it.',
        answers: { 200: z.object({ epoch }) },
        problems: [409],
      }),
      body(Undo),
      async (c) => {
        const { epoch: undone } = c.req.valid('json')
        // One of before an update. Whatever a reset takes now needs no other schema.
        const migrated = await snapshots.migrated(BEFORE_RESET_SNAPSHOT)
        const restored = await store
          .transact((work) => undoReset(work, snapshots, migrated, undone))
          .finally(() => migrated?.close())
        return c.json({ epoch: restored })
      },
    )
