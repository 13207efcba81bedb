import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { isOperation, operations } from '../../domain/api/operations.ts'
import { whyInvalidEffect } from '../../domain/faults/fault-effect.ts'
import type { FaultPoint } from '../../domain/faults/fault.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { MAX_SEED, MAX_STEP_LENGTH, MAX_STEPS, type FaultBody } from '../../contract/schemas/fault-body.ts'
import { invalidField, type Problem } from './problem.ts'

/** Checks what the schema cannot check, and fills in the defaults. */
export function toFaultDraft(body: z.output<typeof FaultBody>, accountId: string | null) {
  const { on, operation, target, probability = 1 } = body
  const { times = probability < 1 ? 'always' : 1 } = body
  if (operation !== undefined && on !== 'api') throw onlyFor('operation', on, 'api')
  if (target !== undefined && on !== 'webhook') throw onlyFor('target', on, 'webhook')
  if (operation !== undefined && !isOperation(operation)) {
    throw invalidKey('operation', `is ${operation}, which does not exist${didYouMean(operation, operations)}`)
  }
  const script =
    typeof body.script === 'string' ? body.script.split(',').map((step) => step.trim()) : body.script
  if (script.some((step) => step === '')) throw invalidKey('script', 'is empty, or has an empty step')
  if (script.length > MAX_STEPS) throw invalidKey('script', `should have at most ${MAX_STEPS} steps`)
  for (const step of script) {
    if (step.length > MAX_STEP_LENGTH) {
      throw invalidKey('script', `has a step of more than ${MAX_STEP_LENGTH} characters`)
    }
    const objection = whyInvalidEffect(on, step)
    if (objection !== null) throw invalidKey('script', objection + commaHint(body.script))
  }
  return {
    on,
    accountId,
    operation: operation ?? null,
    target: target ?? null,
    script,
    times: times === 'always' ? null : times,
    probability,
    seed: body.seed ?? randomInt(MAX_SEED),
  }
}

/** A hint for a message that contains a comma: if a script is a single text, each comma begins a new step. */
const commaHint = (script: string | readonly string[]): string =>
  typeof script === 'string' && /refuse:[^,]*,/.test(script)
    ? '. Commas separate effects: give a list if an effect contains a comma'
    : ''

const onlyFor = (key: string, on: FaultPoint, meant: FaultPoint): Problem =>
  invalidKey(key, `is for faults on ${meant}, but this fault is on ${on}. Leave it out`)

const invalidKey = (key: string, message: string): Problem =>
  invalidField(`${key} in the body`, message, [{ path: key, message }])
