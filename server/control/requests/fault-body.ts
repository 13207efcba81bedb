import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { isOperation, operations } from '../../domain/api/operations.ts'
import { listEffects, validateEffect } from '../../domain/faults/fault-effect.ts'
import { faultPoints, type FaultPoint } from '../../domain/faults/fault.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { faultPoint } from '../../contract/schemas/fault.ts'
import { unicodeText } from '../../contract/schemas/request-fields.ts'
import { invalid, type Problem } from './problem.ts'

export const MAX_STEPS = 100
export const MAX_TIMES = 1_000_000
const MAX_STEP_LENGTH = 500
const MAX_SEED = 2 ** 31 - 1

const TIMES_ERROR = `should be a whole number from 1 to ${MAX_TIMES}, or always`

export const faultStep = unicodeText.min(1).max(MAX_STEP_LENGTH)

const effectsOf = (point: FaultPoint): string =>
  `On ${point}: ${listEffects(point)
    .map(({ form }) => form)
    .join(', ')}.`

export const FaultBody = z
  .strictObject({
    on: faultPoint,
    script: z
      .union([unicodeText.max(10_000), z.array(faultStep).min(1).max(MAX_STEPS)], {
        error: 'should be text like 500,500,200, or a list of effects',
      })
      .meta({
        description: `The effects, one for each call, webhook or redirect: a list, or text with commas. ${faultPoints.map(effectsOf).join(' ')}`,
      }),
    operation: z.string().optional().meta({ description: 'Only calls of this operation.' }),
    target: faultStep.optional().meta({
      description: 'Only webhooks whose target starts with this text, such as http://localhost:3000.',
    }),
    times: z
      .union([z.number(), z.literal('always')], { error: TIMES_ERROR })
      .refine(
        (times) => times === 'always' || (Number.isInteger(times) && times >= 1 && times <= MAX_TIMES),
        { error: TIMES_ERROR },
      )
      .optional()
      .meta({
        description:
          'How often to repeat the script. Once by default, or always if there is a `probability`.',
      }),
    probability: z
      .number()
      .gt(0, { error: 'should be greater than 0' })
      .max(1, { error: 'should be at most 1' })
      .optional()
      .meta({
        description: 'The probability of the fault for each call, webhook or redirect. 1 by default.',
      }),
    seed: z
      .int()
      .min(0)
      .max(MAX_SEED)
      .optional()
      .meta({ description: 'The seed of the random numbers. The same seed gives the same sequence.' }),
  })
  .meta({ examples: [{ on: 'api', script: '500,500,200', operation: 'createSplitLink' }] })

/** Checks what the schema cannot, and fills in the defaults. */
export function toFaultDraft(given: z.output<typeof FaultBody>, accountId: string | null) {
  const { on, operation, target, probability = 1 } = given
  const { times = probability < 1 ? 'always' : 1 } = given
  if (operation !== undefined && on !== 'api') throw onlyFor('operation', on, 'api')
  if (target !== undefined && on !== 'webhook') throw onlyFor('target', on, 'webhook')
  if (operation !== undefined && !isOperation(operation)) {
    throw invalidKey('operation', `there is no operation ${operation}${didYouMean(operation, operations)}`)
  }
  const script =
    typeof given.script === 'string' ? given.script.split(',').map((step) => step.trim()) : given.script
  if (script.some((step) => step === '')) throw invalidKey('script', 'is empty, or has an empty step')
  if (script.length > MAX_STEPS) throw invalidKey('script', `should have at most ${MAX_STEPS} steps`)
  for (const step of script) {
    if (step.length > MAX_STEP_LENGTH) {
      throw invalidKey('script', `has a step of more than ${MAX_STEP_LENGTH} characters`)
    }
    const objection = validateEffect(on, step)
    if (objection !== null) throw invalidKey('script', objection + commaHint(given.script))
  }
  return {
    on,
    accountId,
    operation: operation ?? null,
    target: target ?? null,
    script,
    times: times === 'always' ? null : times,
    probability,
    seed: given.seed ?? randomInt(MAX_SEED),
  }
}

/** An effect with a comma in its message is split when the script is text. */
const commaHint = (script: string | readonly string[]): string =>
  typeof script === 'string' && /refuse:[^,]*,/.test(script)
    ? ' Commas separate effects: give a list if an effect contains a comma.'
    : ''

const onlyFor = (key: string, on: FaultPoint, meant: FaultPoint): Problem =>
  invalidKey(key, `is for faults on ${meant}, and this one is on ${on}`)

const invalidKey = (key: string, message: string): Problem =>
  invalid(`${key} in the body: ${message}`, { errors: [{ path: key, message }] })
