import { z } from 'zod'
import { formsText, listEffects } from '../../domain/faults/fault-effect.ts'
import { faultPoints, type FaultPoint } from '../../domain/faults/fault.ts'
import { faultPoint } from './fault.ts'
import { unicodeText } from './request-fields.ts'

export const MAX_STEPS = 100
export const MAX_TIMES = 1_000_000
export const MAX_STEP_LENGTH = 500
export const MAX_SEED = 2 ** 31 - 1

const TIMES_ERROR = `should be a whole number from 1 to ${MAX_TIMES}, or always`

export const faultStep = unicodeText.min(1).max(MAX_STEP_LENGTH)

const effectsOf = (point: FaultPoint): string =>
  `On ${point}: ${listEffects(point)
    .map(({ forms }) => formsText(forms))
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
