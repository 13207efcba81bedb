import { Hono } from 'hono'
import { z } from 'zod'
import { accountDefault, callbackList, readEntries, webhookList } from '../domain/targets.ts'
import { inForceFor } from '../operations/caller.ts'
import type { ControlContext } from './context.ts'
import { text } from './fields.ts'
import { findAccount } from './find-account.ts'
import { body } from './input.ts'
import { absolute } from './present.ts'

const Preview = z.strictObject({
  account: z.string(),
  paymentEndpoint: text.default(''),
  callbackUrl: text.default(''),
})

/** Says where the notifications of a link would go, and why, without making the link. */
export const targetRoutes = ({ store, baseUrl, heldBecause }: ControlContext) =>
  new Hono().post('/preview', body(Preview), async (c) => {
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
      /** What the API would answer; `null` where nothing speaks against it. */
      refusal: [...callbacks, ...named].find(isRefused)?.because ?? null,
      /** Where webhooks go: what was named, or the account's payment endpoint. */
      targets: await Promise.all(
        [...named, ...fallback].map(async (target) => ({
          ...target,
          url: target.url && absolute(target.url, baseUrl(c)),
          heldBecause: target.url && (await heldBecause(target.url)),
        })),
      ),
      /** Where the browser goes: the first URL, and no other. */
      callbacks: callbacks.map((callback) => ({ ...callback, isUsed: callback === used })),
    })
  })
