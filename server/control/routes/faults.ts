import { randomInt } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import { listEffects, validateEffect } from '../../domain/faults/fault-effect.ts'
import { faultPoints, type Fault, type FaultPoint } from '../../domain/faults/fault.ts'
import { isOperation, operations } from '../../domain/api/operations.ts'
import { addFault, removeFault } from '../../operations/accounts/faults.ts'
import * as faults from '../../store/repositories/faults.ts'
import type { ControlContext } from '../context.ts'
import { accountParam, unicodeText } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { body, query } from '../requests/input.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { presentFault } from '../../contract/views.ts'
import { notFound, Problem } from '../requests/problem.ts'
import { FaultSchema, faultPoint } from '../../contract/schemas/fault.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

export const MAX_STEPS = 100
export const MAX_TIMES = 1_000_000
const TIMES = `should be a whole number from 1 to ${MAX_TIMES}, or always`
const LARGEST_SEED = 2 ** 31 - 1

const Scope = z.strictObject({
  account: accountParam.meta({ description: 'The account that it strikes. Without it, every account.' }),
})

const LONGEST_STEP = 500

const Listing = z.strictObject({ account: accountParam })

/** One thing that goes wrong. */
export const faultStep = unicodeText.min(1).max(LONGEST_STEP)

export const FaultBody = z
  .strictObject({
    on: faultPoint,
    script: z
      .union([unicodeText.max(10_000), z.array(faultStep).min(1).max(MAX_STEPS)], {
        error: 'should be text like 500,500,200, or a list of effects',
      })
      .meta({
        description: `What goes wrong at one occasion after another: a list, or text with commas. ${faultPoints
          .map(
            (on) =>
              `On ${on}: ${listEffects(on)
                .map(({ form }) => form)
                .join(', ')}.`,
          )
          .join(' ')}`,
      }),
    operation: z.string().optional().meta({ description: 'Strikes calls of this operation only.' }),
    target: faultStep.optional().meta({
      description: 'Strikes webhooks only whose target begins like this, such as http://localhost:3000.',
    }),
    times: z
      .union([z.number(), z.literal('always')], { error: TIMES })
      .refine(
        (times) => times === 'always' || (Number.isInteger(times) && times >= 1 && times <= MAX_TIMES),
        {
          error: TIMES,
        },
      )
      .optional()
      .meta({
        description:
          'How often the script is gone through. Once by default; always, where a probability is given.',
      }),
    probability: z
      .number()
      .gt(0, { error: 'should be greater than 0' })
      .max(1, { error: 'should be at most 1' })
      .optional()
      .meta({ description: 'How likely an occasion is to be struck. 1 by default.' }),
    seed: z
      .int()
      .min(0)
      .max(LARGEST_SEED)
      .optional()
      .meta({ description: 'What chance is drawn from: with the same seed the same occasions are struck.' }),
  })
  .meta({ examples: [{ on: 'api', script: '500,500,200', operation: 'createSplitLink' }] })

const Faults = z.object({ faults: readonlyList(FaultSchema) })

const path = { id: z.string().meta({ description: 'The id of the fault.', examples: ['1'] }) }

/** What is asked to go wrong. */
export const faultRoutes = ({ store }: ControlContext) =>
  new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List faults',
        description: 'Oldest first: every one, or those of one account.',
        answers: { 200: Faults },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { account: accountId } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        return c.json({ faults: (await faults.list(store.db, accountId)).map(presentFault) })
      },
    )
    .post(
      '/',
      describeRoute({
        summary: 'Ask for something to go wrong',
        description: 'Of several faults that are meant for an occasion, the oldest strikes.',
        answers: { 201: FaultSchema },
        problems: [404, 409],
      }),
      query(Scope),
      body(FaultBody),
      async (c) => {
        const { account: accountId } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        const draft = acceptDraft(c.req.valid('json'), accountId ?? null)
        const fault = await store.transact((work) => addFault(work, draft))
        return c.json(presentFault(fault), 201)
      },
    )
    .delete(
      '/',
      describeRoute({
        summary: 'Take faults away',
        description: 'All of them, or those of an account. Answers with those that are gone.',
        answers: { 200: Faults },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { account: accountId } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        const gone = await store.transact(async (work) => {
          const all = await faults.list(work.db, accountId)
          for (const fault of all) await removeFault(work, fault)
          return all
        })
        return c.json({ faults: gone.map(presentFault) })
      },
    )
    .delete(
      '/:id',
      describeRoute({
        summary: 'Take a fault away',
        description: 'Answers with the fault as it was, with what it has done so far.',
        path,
        answers: { 200: FaultSchema },
        problems: [404],
      }),
      async (c) => {
        const id = c.req.param('id')
        const fault = await store.transact(async (work): Promise<Fault> => {
          const found = /^\d{1,15}$/.test(id) ? await faults.find(work.db, Number(id)) : undefined
          if (!found) throw notFound(`There is no fault ${id}. GET /_sandbox/v1/faults lists them.`)
          await removeFault(work, found)
          return found
        })
        return c.json(presentFault(fault))
      },
    )

function acceptDraft(given: z.output<typeof FaultBody>, accountId: string | null) {
  const { on, operation, target, probability = 1 } = given
  const { times = probability < 1 ? 'always' : 1 } = given
  if (operation !== undefined && on !== 'api') throw meantFor('operation', on, 'api')
  if (target !== undefined && on !== 'webhook') throw meantFor('target', on, 'webhook')
  if (operation !== undefined && !isOperation(operation)) {
    throw invalid('operation', `there is no operation ${operation}${didYouMean(operation, operations)}`)
  }
  const script =
    typeof given.script === 'string' ? given.script.split(',').map((one) => one.trim()) : given.script
  if (script.some((one) => one === '')) throw invalid('script', 'is empty, or has an empty place')
  if (script.length > MAX_STEPS) throw invalid('script', `should have at most ${MAX_STEPS} steps`)
  for (const one of script) {
    if (one.length > LONGEST_STEP)
      throw invalid('script', `has a step of more than ${LONGEST_STEP} characters`)
    const objection = validateEffect(on, one)
    if (objection !== null) throw invalid('script', objection + aboutCommas(given.script))
  }
  return {
    on,
    accountId,
    operation: operation ?? null,
    target: target ?? null,
    script,
    times: times === 'always' ? null : times,
    probability,
    seed: given.seed ?? randomInt(LARGEST_SEED),
  }
}

/** A message with a comma in it falls apart. */
const aboutCommas = (script: string | readonly string[]): string =>
  typeof script === 'string' && /refuse:[^,]*,/.test(script)
    ? ' Commas separate effects: give a list where one has a comma in it.'
    : ''

const meantFor = (key: string, on: FaultPoint, meant: FaultPoint): Problem =>
  invalid(key, `is for faults on ${meant}, and this one is on ${on}`)

const invalid = (key: string, message: string): Problem =>
  new Problem(400, 'Not valid', `${key} in the body: ${message}`, { errors: [{ path: key, message }] })
