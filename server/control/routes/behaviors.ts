import { Hono } from 'hono'
import { z } from 'zod'
import {
  isBehaviorValue,
  behaviorNames,
  isBehaviorName,
  openPoints,
  describeOptions,
  listOptions,
  resolveBehaviors,
  type AssumptionName,
  type BehaviorName,
} from '../../domain/behaviors/behavior.ts'
import { changeBehaviors } from '../../operations/accounts/change-behaviors.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import type { ControlContext } from '../context.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { body, query } from '../requests/input.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { Problem } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Scope = z.strictObject({
  account: z
    .string()
    .optional()
    .meta({ description: 'The account to look at. Without it, the whole sandbox.' }),
})

/** `null` takes a choice back. */
const Changes = z.record(z.string(), z.union([z.string(), z.null()])).meta({
  description: 'Values by the name of the behavior. `null` takes a choice back.',
  examples: [{ errorStatus: 'http', payId: null }],
})

const Behaviors = z
  .object({
    behaviors: readonlyList(
      z.object({
        name: z.string(),
        value: z.string(),
        source: z
          .enum(['default', 'start', 'sandbox', 'account'])
          .meta({ description: 'Where the value comes from.' }),
        chosen: z.boolean().meta({ description: 'Whether it was chosen just here.' }),
        otherwise: z.string().meta({ description: 'What holds once the choice is taken back.' }),
        options: readonlyList(z.string()),
        pattern: z
          .string()
          .nullable()
          .meta({ description: 'The one among the options that describes values instead of being one.' }),
        reference: z.string().meta({ description: 'What the API reference says.' }),
        assumption: z.string().meta({ description: 'What the sandbox does, option by option.' }),
      }),
    ),
    assumptions: readonlyList(
      z.object({ name: z.string(), reference: z.string(), assumption: z.string() }),
    ).meta({
      description: 'What is assumed and cannot be switched.',
    }),
  })
  .meta({ id: 'Behaviors', description: 'What the API reference leaves open, and what is in force.' })

export function behaviorRoutes({ store }: ControlContext) {
  async function show(accountId: string | undefined) {
    await assertAccountExists(store.db, accountId)
    const layers = await behaviors.layers(store.db, accountId)
    const below = layers.slice(0, -1)
    const own = layers.at(-1)!.choices
    const settings = resolveBehaviors(...layers.map(({ choices }) => choices))
    const otherwise = resolveBehaviors(...below.map(({ choices }) => choices))
    const switchable = new Set<AssumptionName>(behaviorNames)
    return {
      behaviors: behaviorNames.map((name) => ({
        name,
        value: settings[name] as string,
        /** Where the value comes from. */
        source: layers.findLast(({ choices }) => name in choices)?.source ?? ('default' as const),
        chosen: name in own,
        /** What holds once the choice is taken back. */
        otherwise: otherwise[name] as string,
        options: listOptions(name),
        /** The one among the options that describes values instead of being one. */
        pattern: openPoints[name].pattern?.text ?? null,
        reference: openPoints[name].reference,
        assumption: openPoints[name].assumption,
      })),
      assumptions: Object.entries(openPoints)
        .filter(([name]) => !switchable.has(name as AssumptionName))
        .map(([name, { reference, assumption }]) => ({ name, reference, assumption })),
    }
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List behaviors',
        description:
          'Each with its options, the value in force and where that comes from: for all accounts, or for one.',
        answers: { 200: Behaviors },
        problems: [404],
      }),
      query(Scope),
      async (c) => c.json(await show(c.req.valid('query').account)),
    )
    .patch(
      '/',
      describeRoute({
        summary: 'Choose behaviors',
        description:
          'For all accounts, or for one. `null` takes a choice back. What is not named stays as it is.',
        answers: { 200: Behaviors },
        problems: [404],
      }),
      query(Scope),
      body(Changes),
      async (c) => {
        const { account } = c.req.valid('query')
        const changes = acceptChanges(c.req.valid('json'))
        await show(account)
        await store.transact((work) => changeBehaviors(work, account, changes))
        return c.json(await show(account))
      },
    )
}

function acceptChanges(changes: Record<string, string | null>): Partial<Record<BehaviorName, string | null>> {
  for (const [name, value] of Object.entries(changes)) {
    if (!isBehaviorName(name)) {
      throw new Problem(400, 'Not valid', `There is no behavior ${name}${didYouMean(name, behaviorNames)}`)
    }
    if (value !== null && !isBehaviorValue(name, value)) {
      throw new Problem(400, 'Not valid', `${name} cannot be ${value}. It takes ${describeOptions(name)}.`)
    }
  }
  return changes
}
