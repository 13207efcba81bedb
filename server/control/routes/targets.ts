import { Hono } from 'hono'
import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { releaseHints } from '../../domain/network/release-hints.ts'
import { activeBehaviors } from '../../operations/caller.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { ControlContext } from '../context.ts'
import { unicodeText } from '../../contract/schemas/request-fields.ts'
import { findAccount } from '../requests/find-account.ts'
import { body } from '../requests/input.ts'
import { checkTargets, heldReason } from '../egress/check-targets.ts'
import { toAbsoluteUrl } from '../../contract/views.ts'
import { previewTargets, type PreviewedEntry } from '../egress/preview-targets.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { mappedTo } from '../../contract/schemas/map.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_URLS = 100

const urls = z.array(unicodeText).max(MAX_URLS)

const Preview = z.strictObject({
  account: z.string().meta({
    description: 'The account that would make the link.',
    examples: ['00000000-0000-4000-8000-000000000001'],
  }),
  paymentEndpoint: unicodeText
    .default('')
    .meta({ description: 'The `payment_endpoint` of the link.', examples: ['0'] }),
  callbackUrl: unicodeText
    .default('')
    .meta({ description: 'The `callback_url` of the link.', examples: ['0'] }),
  as: z
    .strictObject({
      paymentEndpoint: unicodeText
        .optional()
        .meta({ description: 'Where webhooks go when a link names no target.' }),
      callbackUrls: urls.optional().meta({ description: 'What indexes in `callback_url` count.' }),
      webhookUrls: urls.optional().meta({ description: 'What indexes in `payment_endpoint` count.' }),
    })
    .default({})
    .meta({ description: 'What the account would have, in place of what it has.' }),
})

const Entry = {
  position: z.int().nullable().meta({ description: "Counted from 0; null for the account's own." }),
  entry: z.string().nullable().meta({ description: 'As it was written.' }),
  url: z.string().nullable().meta({ description: 'What it stands for, null for nothing.' }),
  reason: z.string().meta({ description: 'Why it stands for that, or what is wrong with it.' }),
  problem: z.enum(['invalid', 'out-of-range']).nullable(),
  consequence: z.enum(['refused', 'left-out']).nullable().meta({
    description: 'What comes of the problem: the link is refused, or is made without this entry.',
  }),
  repeats: z.int().nullable().meta({ description: 'The position of an entry before it with the same URL.' }),
  mappedTo,
  mappedBy: z.string().optional().meta({ description: 'The origin of the map that leads there.' }),
  isOwn: z.boolean().meta({ description: 'Whether it goes to the sandbox itself, such as to a tunnel.' }),
}

const Target = z.object({
  ...Entry,
  verdict: z.enum(['send', 'hold', 'never']).nullable().meta({
    description: 'Whether a webhook would leave for it by itself. Null where there is no URL.',
  }),
  heldReason: z.string().nullable().meta({ description: 'Why a webhook would not leave for it by itself.' }),
})

const Previewed = z
  .object({
    refusal: z
      .string()
      .nullable()
      .meta({ description: 'What the API would answer; null where nothing speaks against it.' }),
    targets: readonlyList(Target).meta({
      description: "Where webhooks go: what was named, or the account's payment endpoint.",
    }),
    callbacks: readonlyList(z.object({ ...Entry, isUsed: z.boolean() })).meta({
      description: 'Where the browser goes: the first URL, and no other.',
    }),
    passedOver: Target.nullable().meta({
      description: "The account's payment endpoint, where the link names targets of its own.",
    }),
  })
  .meta({ id: 'TargetPreview', description: 'Where the notifications of a link would go.' })

/** Says where the notifications of a link would go, and why, without making the link. */
export function targetRoutes(context: ControlContext) {
  const { store, baseUrl, ownPath } = context

  return new Hono().post(
    '/preview',
    describeRoute({
      summary: 'See where notifications would go',
      description: 'Nothing is made.',
      answers: { 200: Previewed },
      problems: [404, 422],
    }),
    body(Preview),
    async (c) => {
      const { account: id, paymentEndpoint, callbackUrl, as } = c.req.valid('json')
      const account = { ...(await findAccount(store.db, id)), ...omitUndefined(as) }
      const outOfRange = (await activeBehaviors(store, id)).use('indexOutOfRange')
      const maps = await egressRules.maps(store.db)
      const base = baseUrl(c)
      const { used, ...previewed } = previewTargets({
        account,
        paymentEndpoint,
        callbackUrl,
        outOfRange,
        maps,
      })

      const whole = ({ url, mappedTo: led, ...entry }: PreviewedEntry) => ({
        ...entry,
        url: url && toAbsoluteUrl(url, base),
        ...omitUndefined({ mappedTo: led && toAbsoluteUrl(led, base) }),
        isOwn: url !== null && ownPath(led ?? url) !== null,
      })
      const entries = [...previewed.targets, ...(previewed.passedOver ? [previewed.passedOver] : [])]
      const judgementOf = await checkTargets(
        context,
        entries.flatMap((entry) => leadsTo(entry) ?? []),
      )
      const shown = (entry: PreviewedEntry) => {
        const to = leadsTo(entry)
        if (to === null) return { ...whole(entry), verdict: null, heldReason: null }
        const judged = judgementOf(to)
        const ways = () => releaseHints(entry.url!, entry.mappedTo, maps)
        return { ...whole(entry), verdict: judged.verdict, heldReason: heldReason(judged, ways) }
      }
      return c.json({
        refusal: previewed.refusal,
        targets: previewed.targets.map(shown),
        callbacks: previewed.callbacks.map((entry, index) => ({ ...whole(entry), isUsed: index === used })),
        passedOver: previewed.passedOver && shown(previewed.passedOver),
      })
    },
  )
}

const leadsTo = ({ url, mappedTo: led }: PreviewedEntry): string | null => led ?? url
