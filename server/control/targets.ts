import { Hono } from 'hono'
import { z } from 'zod'
import { accountDefault, callbackList, readEntries, webhookList } from '../domain/targets.ts'
import { inForceFor } from '../operations/caller.ts'
import type { ControlContext } from './context.ts'
import { text } from './fields.ts'
import { findAccount } from './find-account.ts'
import { body } from './input.ts'
import { absolute } from './present.ts'
import { list } from './shapes/fields.ts'
import { tell } from './tell.ts'

const Preview = z.strictObject({
  account: z.string().meta({
    description: 'The account that would make the link.',
    examples: ['00000000-0000-4000-8000-000000000001'],
  }),
  paymentEndpoint: text
    .default('')
    .meta({ description: 'The `payment_endpoint` of the link.', examples: ['0'] }),
  callbackUrl: text.default('').meta({ description: 'The `callback_url` of the link.', examples: ['0'] }),
})

const Entry = {
  position: z.int().nullable().meta({ description: "Counted from 0; null for the account's own." }),
  entry: z.string().nullable().meta({ description: 'As it was written.' }),
  url: z.string().nullable().meta({ description: 'What it stands for, null for nothing.' }),
  because: z.string().meta({ description: 'Why it stands for that, or what is wrong with it.' }),
  problem: z.enum(['invalid', 'out-of-range']).nullable(),
}

const Previewed = z
  .object({
    refusal: z
      .string()
      .nullable()
      .meta({ description: 'What the API would answer; null where nothing speaks against it.' }),
    targets: list(
      z.object({
        ...Entry,
        heldBecause: z
          .string()
          .nullable()
          .meta({ description: 'Why a webhook would not leave for it by itself.' }),
      }),
    ).meta({ description: "Where webhooks go: what was named, or the account's payment endpoint." }),
    callbacks: list(z.object({ ...Entry, isUsed: z.boolean() })).meta({
      description: 'Where the browser goes: the first URL, and no other.',
    }),
  })
  .meta({ id: 'TargetPreview', description: 'Where the notifications of a link would go.' })

/** Says where the notifications of a link would go, and why, without making the link. */
export const targetRoutes = ({ store, baseUrl, heldBecause }: ControlContext) =>
  new Hono().post(
    '/preview',
    tell({
      summary: 'See where notifications would go',
      description: 'Nothing is made.',
      answers: { 200: Previewed },
      problems: [404, 422],
    }),
    body(Preview),
    async (c) => {
      const { account: id, paymentEndpoint, callbackUrl } = c.req.valid('json')
      const account = await findAccount(store.db, id)
      const outOfRange = (await inForceFor(store, id)).rely('indexOutOfRange')

      const callbacks = readEntries(callbackUrl, callbackList(account))
      const named = readEntries(paymentEndpoint, webhookList(account))
      const isRefused = ({ problem }: (typeof named)[number]) =>
        problem === 'invalid' || (problem === 'out-of-range' && outOfRange === 'refuse')
      const fallback = named.some((entry) => entry.url !== null || isRefused(entry))
        ? []
        : accountDefault(account.paymentEndpoint).map((target) => ({
            ...target,
            position: null,
            entry: null,
            problem: null,
          }))
      const used = callbacks.find(({ url }) => url !== null)

      return c.json({
        refusal: [...callbacks, ...named].find(isRefused)?.because ?? null,
        targets: await Promise.all(
          [...named, ...fallback].map(async (target) => ({
            ...target,
            url: target.url && absolute(target.url, baseUrl(c)),
            heldBecause: target.url && (await heldBecause(target.url)),
          })),
        ),
        callbacks: callbacks.map((callback) => ({ ...callback, isUsed: callback === used })),
      })
    },
  )
