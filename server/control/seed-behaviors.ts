import { z } from 'zod'
import {
  allows,
  behaviorNames,
  openPoints,
  optionsInWords,
  type BehaviorName,
  type Choices,
} from '../domain/behavior.ts'

/** Behaviors by name, as a seed chooses them. */
export const Behaviors: z.ZodType<Choices, Choices> = z.strictObject(
  Object.fromEntries(behaviorNames.map((name) => [name, choiceOf(name).optional()])),
)

/** An editor offers the options; those that are a pattern it can only be told of. */
export function choiceOf(name: BehaviorName) {
  const { options, pattern, assumption } = openPoints[name]
  return z
    .string()
    .refine((value) => allows(name, value), { error: `should be ${optionsInWords(name)}` })
    .meta({ description: assumption, ...(pattern ? { examples: options } : { enum: options }) })
}
