import { Hono } from 'hono'
import { z } from 'zod'
import { SAMPLE_SNAPSHOT } from '../../domain/state/snapshot.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as links from '../../store/repositories/links.ts'
import type { Store } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { accountId, findAccount } from '../requests/find-account.ts'
import { Problem, withRemedy } from '../requests/problem.ts'
import { body } from '../requests/validators.ts'

const StoryBody = z.strictObject({
  account: accountId.optional().meta({
    description: 'The id of the shop in the story. Default: the first development account.',
  }),
})

const LoadedStory = z.object({
  account: z.object({ id: z.string(), name: z.string() }),
  payments: z.int().meta({ description: 'How many payment links the story created.' }),
  snapshot: z.string().meta({ description: 'The snapshot of the state before the story, to undo it.' }),
})

/** The sample story, for a sandbox without payments. */
export function sampleStoryRoutes({ store, playSampleStory }: ControlContext) {
  let isLoading = false

  return new Hono().post(
    '/sample-story',
    describeRoute({
      summary: 'Load the sample story',
      description: `Plays the first day of a shop in a sandbox without payments: orders, webhooks that fail or are held, a refund and a dispute. The state before is kept as the snapshot \`${SAMPLE_SNAPSHOT}\`.`,
      responses: { 201: LoadedStory },
      errors: [404, 409],
    }),
    body(StoryBody),
    async (c) => {
      if (isLoading)
        throw new Problem(409, 'The sample story is already being loaded. Wait until it is loaded.')
      isLoading = true
      try {
        const { id, name } = await chooseShop(store, c.req.valid('json').account)
        const payments = await playSampleStory(id)
        if (typeof payments !== 'number') {
          throw new Problem(
            409,
            `The sample story stopped early: ${payments.stoppedBy} Remove faults and a rateLimit, restore the snapshot ${SAMPLE_SNAPSHOT}, and load it again.`,
          )
        }
        return c.json({ account: { id, name }, payments, snapshot: SAMPLE_SNAPSHOT }, 201)
      } finally {
        isLoading = false
      }
    },
  )
}

async function chooseShop({ db }: Store, id: string | undefined): Promise<{ id: string; name: string }> {
  const shop =
    id === undefined
      ? (await accounts.list(db)).find(({ environment }) => environment === 'development')
      : await findAccount(db, id)
  if (shop?.environment !== 'development') {
    throw withRemedy(409, 'The sample story needs a development account.', {
      route: 'POST /accounts',
      effect: 'creates one',
    })
  }
  if ((await links.list(db, {}, 1)).length > 0) {
    throw new Problem(
      409,
      'The sample story needs a sandbox without payments, but this one has some. Reset the sandbox first, or start another one.',
    )
  }
  return shop
}
