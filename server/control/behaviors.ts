import { Hono } from 'hono'
import { z } from 'zod'
import {
  allows,
  behaviorNames,
  isBehaviorName,
  openPoints,
  optionsInWords,
  optionTexts,
  settingsOf,
  type AssumptionName,
  type BehaviorName,
} from '../domain/behavior.ts'
import { changeBehaviors } from '../operations/change-behaviors.ts'
import * as behaviors from '../store/behaviors.ts'
import type { ControlContext } from './context.ts'
import { findAccount } from './find-account.ts'
import { body, hint, query } from './input.ts'
import { Problem } from './problem.ts'

const Scope = z.strictObject({ account: z.string().optional() })

/** `null` takes a choice back. */
const Changes = z.record(z.string(), z.union([z.string(), z.null()]))

export function behaviorRoutes({ store }: ControlContext) {
  async function show(accountId: string | undefined) {
    if (accountId !== undefined) await findAccount(store.db, accountId)
    const layers = await behaviors.layers(store.db, accountId)
    const below = layers.slice(0, -1)
    const own = layers.at(-1)!.choices
    const settings = settingsOf(...layers.map(({ choices }) => choices))
    const otherwise = settingsOf(...below.map(({ choices }) => choices))
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
        options: optionTexts(name),
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
    .get('/', query(Scope), async (c) => c.json(await show(c.req.valid('query').account)))
    .patch('/', query(Scope), body(Changes), async (c) => {
      const { account } = c.req.valid('query')
      const changes = acceptChanges(c.req.valid('json'))
      await show(account)
      await store.transact((work) => changeBehaviors(work, account, changes))
      return c.json(await show(account))
    })
}

function acceptChanges(changes: Record<string, string | null>): Partial<Record<BehaviorName, string | null>> {
  for (const [name, value] of Object.entries(changes)) {
    if (!isBehaviorName(name)) {
      throw new Problem(400, 'Not valid', `There is no behavior ${name}${hint(name, behaviorNames)}`)
    }
    if (value !== null && !allows(name, value)) {
      throw new Problem(400, 'Not valid', `${name} cannot be ${value}. It takes ${optionsInWords(name)}.`)
    }
  }
  return changes
}
