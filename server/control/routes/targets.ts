import { findSimilarMap } from '../../domain/network/origin-map.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { activeBehaviors } from '../../service/operations/accounts/caller.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { ControlContext } from '../context.ts'
import { unicodeText } from '../../contract/schemas/request-fields.ts'
import { accountId, findAccount } from '../requests/find-account.ts'
import { body } from '../requests/validators.ts'
import { checkTargets, heldReason } from '../egress/check-targets.ts'
import { toAbsoluteUrl } from '../../contract/views.ts'
import { previewTargets, type PreviewedEntry } from '../egress/preview-targets.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { mappedTo } from '../../contract/schemas/map.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_URLS = 100

const urls = z.array(unicodeText).max(MAX_URLS)

const PreviewBody = z.strictObject({
  account: accountId.meta({ description: 'The account that would create the link.' }),
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
        .meta({ description: 'The target of webhooks for links without targets.' }),
      callbackUrls: urls.optional().meta({ description: 'The list for indexes in `callback_url`.' }),
      webhookUrls: urls.optional().meta({ description: 'The list for indexes in `payment_endpoint`.' }),
    })
    .default({})
    .meta({ description: 'Settings to use instead of those of the account.' }),
})

const entryFields = {
  position: z
    .int()
    .nullable()
    .meta({ description: 'The position in the list, from 0. Null for the default of the account.' }),
  entry: z.string().nullable().meta({ description: 'The entry as it was written.' }),
  url: z.string().nullable().meta({ description: 'The URL of the entry. Null if it has none.' }),
  reason: z.string().meta({ description: 'Why the entry has this URL, or what is wrong with it.' }),
  problem: z.enum(['invalid', 'out-of-range']).nullable(),
  consequence: z.enum(['refused', 'left-out']).nullable().meta({
    description: 'What the problem causes: the link is refused, or created without this entry.',
  }),
  repeats: z.int().nullable().meta({ description: 'The position of an earlier entry with the same URL.' }),
  mappedTo,
  mappedBy: z.string().optional().meta({ description: 'The origin of the URL map that applies.' }),
  isOwn: z.boolean().meta({ description: 'Whether the URL is on this sandbox, such as a tunnel.' }),
}

const Target = z
  .object({
    ...entryFields,
    verdict: z.enum(['send', 'hold', 'never']).nullable().meta({
      description: 'Whether a webhook to this URL is sent. Null without a URL.',
    }),
    heldReason: z.string().nullable().meta({ description: 'Why a webhook to this URL is held.' }),
  })
  .meta({ id: 'PreviewedTarget' })

const TargetPreview = z
  .object({
    refusal: z
      .string()
      .nullable()
      .meta({ description: 'The error message of the API. Null if the link would be created.' }),
    targets: readonlyList(Target).meta({
      description: 'Targets of webhooks: those of the link, or the default of the account.',
    }),
    callbacks: readonlyList(z.object({ ...entryFields, isUsed: z.boolean() })).meta({
      description: 'Targets of the redirect. Only the first URL is used.',
    }),
    passedOver: Target.nullable().meta({
      description: 'The default of the account, if it is not used because the link has targets.',
    }),
  })
  .meta({ id: 'TargetPreview', description: 'Where the notifications of a link would go.' })

export function targetRoutes(context: ControlContext) {
  const { store, baseUrl, ownPath } = context

  return new Hono().post(
    '/preview',
    describeRoute({
      summary: 'Preview where notifications go',
      description: 'Explains the targets of a link without creating it.',
      responses: { 200: TargetPreview },
      errors: [404, 422],
    }),
    body(PreviewBody),
    async (c) => {
      const { account: id, paymentEndpoint, callbackUrl, as } = c.req.valid('json')
      const account = { ...(await findAccount(store.db, id)), ...omitUndefined(as) }
      const outOfRange = (await activeBehaviors(store, id)).dependOn('indexOutOfRange')
      const maps = await egressRules.maps(store.db)
      const base = baseUrl(c)
      const preview = previewTargets({ account, paymentEndpoint, callbackUrl, outOfRange, maps })

      const withUrls = ({ url, mappedTo: mapped, ...entry }: PreviewedEntry) => ({
        ...entry,
        url: url && toAbsoluteUrl(url, base),
        ...omitUndefined({ mappedTo: mapped && toAbsoluteUrl(mapped, base) }),
        isOwn: url !== null && ownPath(mapped ?? url) !== null,
      })
      const entries = [...preview.targets, ...(preview.passedOver ? [preview.passedOver] : [])]
      const verdictOf = await checkTargets(
        context,
        entries.flatMap((entry) => finalTarget(entry) ?? []),
      )
      const withEgressVerdict = (entry: PreviewedEntry) => {
        const target = finalTarget(entry)
        if (target === null) return { ...withUrls(entry), verdict: null, heldReason: null }
        const verdict = verdictOf(target)
        const isHeld = verdict.verdict === 'hold' && entry.mappedTo === undefined
        const similarMap = isHeld ? findSimilarMap(entry.url!, maps)?.from : undefined
        const reason = heldReason(verdict, { target: entry.url!, mappedTo: entry.mappedTo, similarMap })
        return { ...withUrls(entry), verdict: verdict.verdict, heldReason: reason }
      }
      return c.json({
        refusal: preview.refusal,
        targets: preview.targets.map(withEgressVerdict),
        callbacks: preview.callbacks.map((entry, index) => ({
          ...withUrls(entry),
          isUsed: index === preview.used,
        })),
        passedOver: preview.passedOver && withEgressVerdict(preview.passedOver),
      })
    },
  )
}

const finalTarget = ({ url, mappedTo: mapped }: PreviewedEntry): string | null => mapped ?? url
