import { Hono, type Context } from 'hono'
import { z } from 'zod'
import {
  validateMapFrom,
  validateMap,
  validateMapTo,
  findDuplicateMap,
} from '../../domain/network/validate-map.ts'
import { normalizeMap, normalizeOrigin, type OriginMap } from '../../domain/network/origin-map.ts'
import { apiError } from '../../domain/api/api-error.ts'
import { changeEgressRules } from '../../operations/webhooks/change-egress-rules.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import { releaseHints } from '../../domain/network/release-hints.ts'
import { toTunnelPath } from '../requests/to-tunnel-path.ts'
import type { ControlContext } from '../context.ts'
import { countReleased } from '../egress/count-released.ts'
import { validatedText } from '../../contract/schemas/request-fields.ts'
import { body } from '../requests/input.ts'
import { checkTargets, heldReason } from '../egress/check-targets.ts'
import { unknownItemNotes } from '../requests/unknown-items.ts'
import { toAbsoluteUrl } from '../../contract/views.ts'
import { Problem } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { MapSchema, ruleWarnings, releasedCount } from '../../contract/schemas/map.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MAX_MAPS = 200

const from = validatedText(validateMapFrom).meta({
  description: 'An origin, or `https://*.example.com` for every one below a domain.',
})
const to = validatedText(validateMapTo).meta({
  description: 'An origin, with a path to put before if it has one, or a path below `/tunnel/`.',
})

const maps = z
  // What `GET` shows may be sent back.
  .array(z.object({ from, to }), { error: 'should be a list of { from, to }' })
  .max(MAX_MAPS, { error: `should have at most ${MAX_MAPS} maps` })
  .superRefine((given, { addIssue }) => {
    const again = findDuplicateMap(given.map(normalizeMap))
    if (again < 0) return
    addIssue({ code: 'custom', path: [again, 'from'], message: 'is mapped by another one before it' })
  })

const EXAMPLE = [{ from: 'https://shop.example.com', to: 'http://localhost:3000' }]

const Wish = z
  .strictObject({
    maps: maps.meta({ description: 'All there are from then on. The most specific one counts.' }),
  })
  .meta({ examples: [{ maps: EXAMPLE }] })

const Changes = z
  .strictObject({
    add: maps
      .default([])
      .meta({ description: 'New ones. An origin that is mapped leads there from then on.' }),
    remove: z
      .array(from)
      .max(MAX_MAPS)
      .default([])
      .meta({ description: 'Origins that are mapped no longer, before any is added.' }),
  })
  .meta({ examples: [{ add: EXAMPLE }] })

const Kept = MapSchema.extend({
  source: z
    .enum(['start', 'sandbox'])
    .meta({ description: 'Whether it was given to this start, or while one ran.' }),
  heldReason: z
    .string()
    .nullable()
    .meta({ description: 'Why webhooks would not leave for it by themselves. Null where they would.' }),
}).meta({ id: 'KeptMap', description: 'A map, and whether webhooks may go where it leads.' })

/** What is meant for one origin goes to another. */
export function mapRoutes(context: ControlContext) {
  const { store, baseUrl, ownPath: pathHere, whyHostIsNeverAllowed: objectionToHost } = context

  async function show(c: Context) {
    const all = await egressRules.list(store.db)
    const mapped = all.flatMap((one) => (one.to === null ? [] : [{ ...one, to: one.to }]))
    const judgementOf = await checkTargets(
      context,
      mapped.map(({ to: leads }) => leads),
    )
    return mapped.map((one) => ({
      ...one,
      to: toAbsoluteUrl(one.to, baseUrl(c)),
      heldReason: heldReason(judgementOf(one.to), () => releaseHints(one.from, one.to, [])),
    }))
  }

  async function change(c: Context, next: (before: readonly OriginMap[]) => readonly OriginMap[]) {
    const again = await store.transact(async (work) => {
      const changed = await changeEgressRules(work, (before) => ({ maps: next(before.maps) }))
      if ((await egressRules.maps(work.db)).length > MAX_MAPS) {
        throw apiError('tooManyMaps', MAX_MAPS)
      }
      return changed
    })
    return {
      maps: await show(c),
      released: await countReleased(context, again, await egressRules.maps(store.db)),
    }
  }

  const kept = (c: Context, given: readonly OriginMap[]): OriginMap[] =>
    given.map((one) => {
      const made = normalizeMap({ from: one.from, to: toTunnelPath(one.to, baseUrl(c)) })
      const objection = validateMap(made, pathHere, objectionToHost)
      if (objection !== null) throw new Problem(400, 'Not valid', `${objection}.`)
      return made
    })

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List maps',
        description: 'Each with the reason for which webhooks to it would be held, if there is one.',
        answers: { 200: z.object({ maps: readonlyList(Kept) }) },
      }),
      async (c) => c.json({ maps: await show(c) }),
    )
    .put(
      '/',
      describeRoute({
        summary: 'Map origins',
        description:
          'In place of all there are. Webhooks and redirects go by it from then on, those of older links too.',
        answers: { 200: z.object({ maps: readonlyList(Kept), released: releasedCount }) },
      }),
      body(Wish),
      async (c) => {
        const given = kept(c, c.req.valid('json').maps)
        return c.json(await change(c, () => given))
      },
    )
    .patch(
      '/',
      describeRoute({
        summary: 'Add and remove maps',
        description:
          'The others stay, whoever else changes some at the same time. To remove what is not there is no mistake, and told in `notes`.',
        answers: {
          200: z.object({ maps: readonlyList(Kept), released: releasedCount, notes: ruleWarnings }),
        },
        problems: [409],
      }),
      body(Changes),
      async (c) => {
        const { add, remove } = c.req.valid('json')
        const added = kept(c, add)
        const removed = remove.map(normalizeOrigin)
        const gone = new Set([...removed, ...added.map((one) => one.from)])
        let inVain: readonly string[] = []
        const changed = await change(c, (before) => {
          inVain = unknownItemNotes(
            removed,
            before.map((one) => one.from),
            (origin) => `No map was for ${origin}.`,
          )
          return [...before.filter((one) => !gone.has(one.from)), ...added]
        })
        return c.json({ ...changed, notes: inVain })
      },
    )
}
