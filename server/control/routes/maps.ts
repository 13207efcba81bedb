import { Hono, type Context } from 'hono'
import { z } from 'zod'
import {
  whyInvalidMapOrigin,
  whyInvalidMap,
  whyInvalidMapTarget,
  findDuplicateMap,
} from '../../domain/network/validate-map.ts'
import { normalizeMap, normalizeOrigin, type OriginMap } from '../../domain/network/origin-map.ts'
import { apiError } from '../../domain/api/api-error.ts'
import { changeEgressRules } from '../../service/operations/settings/change-egress-rules.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import { toTunnelPath } from '../requests/to-tunnel-path.ts'
import { readAfterCommit } from '../../store/read-after-commit.ts'
import type { ControlContext } from '../context.ts'
import { countAllowed } from '../egress/count-allowed.ts'
import { validatedText } from '../../contract/schemas/request-fields.ts'
import { body } from '../requests/validators.ts'
import { checkTargets, heldReason } from '../egress/check-targets.ts'
import { unknownItemNotes } from '../requests/unknown-items.ts'
import { toAbsoluteUrl } from '../../contract/views.ts'
import { invalid } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { MapSchema, ruleWarnings, allowedCount } from '../../contract/schemas/map.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_MAPS = 200

const from = validatedText(whyInvalidMapOrigin).meta({
  description: 'An origin, or `https://*.example.com` for all subdomains.',
})
const to = validatedText(whyInvalidMapTarget).meta({
  description: 'An origin, optionally with a path prefix, or a path below `/tunnel/`.',
})

const maps = z
  // Not strict, so that a client can send back the response of `GET`.
  .array(z.object({ from, to }).meta({ id: 'NewMap' }), { error: 'should be a list of { from, to }' })
  .max(MAX_MAPS, { error: `should have at most ${MAX_MAPS} maps` })
  .superRefine((given, { addIssue }) => {
    const duplicate = findDuplicateMap(given.map(normalizeMap))
    if (duplicate < 0) return
    addIssue({ code: 'custom', path: [duplicate, 'from'], message: 'is mapped by an earlier map' })
  })

const EXAMPLE = [{ from: 'https://shop.example.com', to: 'http://localhost:3000' }]

const ReplaceBody = z
  .strictObject({ maps: maps.meta({ description: 'The new list. The most specific map wins.' }) })
  .meta({ examples: [{ maps: EXAMPLE }] })

const ChangeBody = z
  .strictObject({
    add: maps.default([]).meta({ description: 'Maps to add. They replace maps of the same origin.' }),
    remove: z
      .array(from)
      .max(MAX_MAPS)
      .default([])
      .meta({ description: 'Origins to map no longer. They are removed before `add` is applied.' }),
  })
  .meta({ examples: [{ add: EXAMPLE }] })

const StoredMap = MapSchema.extend({
  source: z.enum(['start', 'sandbox']).meta({ description: 'Whether the map was set at startup, or later.' }),
  heldReason: z
    .string()
    .nullable()
    .meta({ description: 'Why webhooks to the mapped address are held. Null if they are sent.' }),
}).meta({ id: 'StoredMap', description: 'A URL map, and whether webhooks are sent to its address.' })

const StoredMaps = z.object({ maps: readonlyList(StoredMap) })
const ChangedMaps = StoredMaps.extend({ allowed: allowedCount })

/** URL maps, which send the webhooks and redirects of one origin to a different origin. */
export function mapRoutes(context: ControlContext) {
  const { store, baseUrl, ownPath, whyHostIsNeverAllowed } = context

  async function present(c: Context, rules: readonly egressRules.StoredRule[]) {
    const all = rules.flatMap((rule) => (rule.to === null ? [] : [{ ...rule, to: rule.to }]))
    const targets = all.map((map) => map.to)
    const verdictOf = await readAfterCommit(undefined, () => checkTargets(context, targets))
    return all.map((map) => ({
      ...map,
      to: toAbsoluteUrl(map.to, baseUrl(c)),
      heldReason: verdictOf ? heldReason(verdictOf(map.to), { target: map.from, mappedTo: map.to }) : null,
    }))
  }

  async function change(c: Context, next: (before: readonly OriginMap[]) => readonly OriginMap[]) {
    const { requeued, rules, current } = await store.transact(async (work) => {
      const changed = await changeEgressRules(work, (before) => ({ maps: next(before.maps) }))
      const mapped = await egressRules.maps(work.db)
      if (mapped.length > MAX_MAPS) throw apiError('tooManyMaps', MAX_MAPS)
      return { requeued: changed, rules: await egressRules.list(work.db), current: mapped }
    })
    return {
      maps: await present(c, rules),
      allowed: await readAfterCommit(0, () => countAllowed(context, requeued, current)),
    }
  }

  const validate = (c: Context, given: readonly OriginMap[]): OriginMap[] =>
    given.map((map) => {
      const normalized = normalizeMap({ from: map.from, to: toTunnelPath(map.to, baseUrl(c)) })
      const objection = whyInvalidMap(normalized, ownPath, whyHostIsNeverAllowed)
      if (objection !== null) throw invalid(`${objection}.`)
      return normalized
    })

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List URL maps',
        description: 'With the reason why webhooks to a mapped address are held, if they are.',
        responses: { 200: StoredMaps },
      }),
      async (c) => c.json({ maps: await present(c, await egressRules.list(store.db)) }),
    )
    .put(
      '/',
      describeRoute({
        summary: 'Replace the URL maps',
        description: 'The maps apply to all webhooks and redirects from now on, including older links.',
        responses: { 200: ChangedMaps },
      }),
      body(ReplaceBody),
      async (c) => {
        const newMaps = validate(c, c.req.valid('json').maps)
        return c.json(await change(c, () => newMaps))
      },
    )
    .patch(
      '/',
      describeRoute({
        summary: 'Add and remove URL maps',
        description:
          'Other maps stay, so that several programs can change the list. Removing an unknown map is not an error; `notes` mentions it.',
        responses: { 200: ChangedMaps.extend({ notes: ruleWarnings }) },
        errors: [409],
      }),
      body(ChangeBody),
      async (c) => {
        const { add, remove } = c.req.valid('json')
        const added = validate(c, add)
        const removed = remove.map(normalizeOrigin)
        const replaced = new Set([...removed, ...added.map((map) => map.from)])
        let notes: readonly string[] = []
        const changed = await change(c, (before) => {
          const origins = before.map((map) => map.from)
          notes = unknownItemNotes(removed, origins, (origin) => `No map was for ${origin}.`)
          return [...before.filter((map) => !replaced.has(map.from)), ...added]
        })
        return c.json({ ...changed, notes })
      },
    )
}
