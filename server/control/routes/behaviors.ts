import { Hono } from 'hono'
import { z } from 'zod'
import {
  isBehaviorName,
  isBehaviorValue,
  behaviorNames,
  listOptions,
  describeOptions,
  optionMeaning,
  resolveBehaviors,
} from '../../domain/behaviors/behavior.ts'
import { openPointGroups, type OpenPointGroup } from '../../domain/behaviors/open-point-groups.ts'
import {
  behaviorRow,
  fixedAssumptions,
  openPoints,
  type BehaviorName,
  type AssumptionName,
} from '../../domain/behaviors/open-points.ts'
import { changeBehaviors } from '../../service/operations/settings/change-behaviors.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import type { Store } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { body, query } from '../requests/validators.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { invalid } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ScopeQuery = z.strictObject({
  account: z
    .string()
    .optional()
    .meta({ description: 'The id of an account. Without it, the whole sandbox.' }),
})

const ChangeBody = z.record(z.string(), z.union([z.string(), z.null()])).meta({
  description: 'Values by the name of the behavior. `null` removes a choice.',
  examples: [{ errorStatus: 'http', payId: null }],
})

const Comparison = z
  .object({
    same: z.boolean().meta({ description: 'Whether the service does as the sandbox is set to.' }),
    value: z
      .string()
      .nullable()
      .meta({ description: 'The option that the service has. Null for an assumption without options.' }),
    on: z.string().meta({ description: 'The date of the comparison.' }),
  })
  .meta({ id: 'Comparison' })
  .nullable()
  .meta({
    description:
      'What a comparison with the real service has found. Null without the option `calibration`, and if the point is undecided.',
  })

const pointFields = {
  name: z.string(),
  group: z
    .enum(Object.keys(openPointGroups) as OpenPointGroup[])
    .meta({ description: 'What the point is about.' }),
  reference: z.string().meta({ description: 'What the API reference says, and what it leaves open.' }),
  assumption: z
    .string()
    .meta({ description: 'What the sandbox does, with each option if there are several.' }),
  events: z
    .int()
    .meta({ description: 'How many events depended on it, of all accounts, since the process started.' }),
  service: Comparison,
}

const Behaviors = z
  .object({
    behaviors: readonlyList(
      z.object({
        ...pointFields,
        value: z.string(),
        source: z
          .enum(['default', 'start', 'sandbox', 'account'])
          .meta({ description: 'Where the value was set.' }),
        chosen: z.boolean().meta({ description: 'Whether the value was set in this scope.' }),
        otherwise: z.string().meta({ description: 'The value without a choice in this scope.' }),
        options: readonlyList(z.string()),
        pattern: z.string().nullable().meta({
          description:
            'The option that is a pattern for values, such as `5s,30s`. Null if no option is a pattern.',
        }),
        meanings: readonlyList(z.string()).meta({ description: 'What each of the options does.' }),
        note: z.string().nullable().meta({ description: 'What applies to all options.' }),
        advice: z.string().meta({ description: 'How to write code that works with every option.' }),
      }),
    ),
    assumptions: readonlyList(
      z.object({
        ...pointFields,
        reason: z.string().meta({ description: 'Why that is safe.' }),
      }),
    ).meta({ description: 'Assumptions without options.' }),
  })
  .meta({ id: 'Behaviors', description: 'The behaviors and assumptions that are active in one scope.' })

export function behaviorRoutes({ store, calibration, runReport }: ControlContext) {
  function compare(name: AssumptionName, active?: string): z.output<typeof Comparison> {
    const point = calibration?.points[name]
    if (point === undefined || point.verdict === 'undecided') return null
    const value = point.verdict === 'confirmed' ? (point.value ?? null) : null
    return { same: point.verdict === 'confirmed' && value === (active ?? null), value, on: point.on }
  }

  async function present(db: Store['db'], accountId: string | undefined) {
    const layers = await behaviors.layers(db, accountId)
    const own = layers.at(-1)!.choices
    const active = resolveBehaviors(...layers.map(({ choices }) => choices))
    const inherited = resolveBehaviors(...layers.slice(0, -1).map(({ choices }) => choices))
    const counts = new Map(runReport().openPoints.map(({ name, count }) => [name, count]))
    const presentPoint = (name: AssumptionName) => ({
      name,
      ...openPoints[name],
      events: counts.get(name) ?? 0,
      service: compare(name, isBehaviorName(name) ? active[name] : undefined),
    })
    return {
      behaviors: behaviorNames.map((name) => ({
        ...presentPoint(name),
        value: active[name] as string,
        source: layers.findLast(({ choices }) => name in choices)?.source ?? ('default' as const),
        chosen: name in own,
        otherwise: inherited[name] as string,
        options: listOptions(name),
        pattern: behaviorRow(name).pattern?.text ?? null,
        meanings: listOptions(name).map((option) => optionMeaning(name, option)),
        note: behaviorRow(name).note ?? null,
        advice: behaviorRow(name).advice,
      })),
      assumptions: Object.entries(fixedAssumptions).map(([name, { reason }]) => ({
        ...presentPoint(name as AssumptionName),
        reason,
      })),
    }
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List behaviors',
        description: 'With options, the active value, and where that value was set.',
        responses: { 200: Behaviors },
        errors: [404],
      }),
      query(ScopeQuery),
      async (c) => {
        const { account } = c.req.valid('query')
        await assertAccountExists(store.db, account)
        return c.json(await present(store.db, account))
      },
    )
    .patch(
      '/',
      describeRoute({
        summary: 'Choose behaviors',
        description:
          'For all accounts, or for one. Changes the given behaviors only; `null` removes a choice.',
        responses: { 200: Behaviors },
        errors: [404],
      }),
      query(ScopeQuery),
      body(ChangeBody),
      async (c) => {
        const { account } = c.req.valid('query')
        const changes = validateChanges(c.req.valid('json'))
        await assertAccountExists(store.db, account)
        return c.json(
          await store.transact(async (work) => {
            await changeBehaviors(work, account, changes)
            return present(work.db, account)
          }),
        )
      },
    )
}

function validateChanges(
  changes: Record<string, string | null>,
): Partial<Record<BehaviorName, string | null>> {
  for (const [name, value] of Object.entries(changes)) {
    if (!isBehaviorName(name)) {
      throw invalid(`There is no behavior ${name}${didYouMean(name, behaviorNames)}`)
    }
    if (value !== null && !isBehaviorValue(name, value)) {
      throw invalid(`${name} cannot be ${value}. It must be ${describeOptions(name)}.`)
    }
  }
  return changes
}
