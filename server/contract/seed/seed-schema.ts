import { z } from 'zod'
import {
  type Choices,
  behaviorNames,
  type BehaviorName,
  openPoints,
  allows,
  optionsInWords,
} from '../../domain/behaviors/behavior.ts'
import { accountFields, accountName, environment, Billing } from '../schemas/account-fields.ts'
import type { SeedAccount, SeedInvoice as Described, SeedClock, Seed } from '../../domain/state/seed.ts'
import { text, charge, moment } from '../schemas/request-fields.ts'
import { LATEST, EARLIEST } from '../../domain/time/clock.ts'
import { SeedLink } from './seed-link-schema.ts'
import type { SeedInput } from '../../domain/state/seed-input.ts'

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

/** What one seed may hold of each. It is planted in one unit of work; more travels as a snapshot. */
export const MOST = { accounts: 10_000, links: 10_000, invoices: 10_000 } as const

export const tooMany = (what: keyof typeof MOST) => ({
  error: `should have at most ${MOST[what]} ${what}. A snapshot holds any number`,
})

export const accountId = z.guid({ error: 'should be a UUID' })

const Account = z.strictObject({
  ...accountFields,
  id: accountId.optional().describe('The user_id of its links and webhooks.'),
  name: accountName,
  environment: environment.optional(),
  behaviors: Behaviors.optional().describe('What the API reference leaves open, for this account alone.'),
} satisfies Record<keyof SeedAccount, z.ZodType>)

/** The clock comes to the end of each of them. */
export const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'should be a month, like 2026-06', abort: true })
  .refine((value) => value >= '1970-01' && value <= '9998-12', { error: 'should be from 1970-01 to 9998-12' })

export const SeedInvoice = z.strictObject({
  account: text.describe('The account that is billed, by name or id.'),
  serviceMonth: month,
  platformFee: charge.describe('In euros.'),
  pspFee: charge.describe('In euros.'),
  vat: charge.optional().describe('In euros; 19 % of the fees if left out, or 0 for reverse-charge.'),
  sfId: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: 'should be a number as text, like 501' })
    .optional(),
  invoiceId: z
    .string()
    .regex(/^\d{6}-sf-[A-Z0-9]{10}$/, { error: 'should be like 202607-sf-7643D363A2' })
    .optional(),
  invoiceDate: z.iso.date({ error: 'should be a date, like 2026-07-01' }).optional(),
  createdAt: moment.optional(),
  billing: Billing.omit({ reverseCharge: true })
    .partial()
    .optional()
    .describe('The address on the invoice; the one of the account if left out.'),
} satisfies Record<keyof Described, z.ZodType>)

/** From one end of the clock to the other. */
const REACH_MS = Date.parse(LATEST) - Date.parse(EARLIEST)

/** How far the sandbox's clock is ahead of the machine's. */
export const clockOffsetMs = z.int({ abort: true }).min(-REACH_MS).max(REACH_MS)

const Clock = z
  .strictObject({
    now: moment.optional(),
    mode: z.enum(['running', 'frozen']).default('running'),
    offsetMs: clockOffsetMs.optional().describe("How far it is ahead of the machine's, in place of now."),
  } satisfies Record<keyof SeedClock, z.ZodType>)
  .refine(({ now, offsetMs, mode }) => offsetMs === undefined || (now === undefined && mode === 'running'), {
    path: ['offsetMs'],
    error: 'is for a clock that runs, and in place of now',
  })

/** The one schema of seeds: of a file, of a request, and of what is exported. */
export const SeedFile = z
  .strictObject({
    $schema: z.string().optional().describe('Where this schema is, for an editor.'),
    accounts: z
      .array(Account)
      .max(MOST.accounts, tooMany('accounts'))
      .default([])
      .describe('Of an account only the name is needed.'),
    links: z
      .array(SeedLink)
      .max(MOST.links, tooMany('links'))
      .default([])
      .describe('Payment links, in any state.'),
    invoices: z
      .array(SeedInvoice)
      .max(MOST.invoices, tooMany('invoices'))
      .default([])
      .describe('Tax invoices of months that are over.'),
    behaviors: Behaviors.default({}).describe('What the API reference leaves open, for every account.'),
    clock: Clock.optional().describe('What the clock is to show; as it is if left out.'),
  } satisfies Record<keyof SeedInput, z.ZodType>)
  .superRefine((seed, { addIssue }) => {
    const named = seed.accounts.filter(({ id }) => id === undefined)
    const namesakes = new Set(named.map(({ name }) => name))
    const repetitions = [
      ...repeated('accounts', seed.accounts, ['id', 'apiKey', 'recipientToken']),
      ...repeated('links', seed.links, ['id', 'payId']),
      ...repeated('invoices', seed.invoices, ['sfId', 'invoiceId']),
      ...repeated('accounts', seed.accounts, ['name']).filter(({ value }) => namesakes.has(value as string)),
    ]
    for (const { path, message } of repetitions) {
      addIssue({ code: 'custom', input: seed, path, message })
    }
  })

/** What was read, without what only an editor wants to know. */
export function seedOf(file: z.output<typeof SeedFile>): Seed {
  const { $schema: _, ...seed } = file
  return seed
}

interface Repetition {
  readonly path: (string | number)[]
  readonly value: unknown
  readonly message: string
}

/** Entries of a list that name what an earlier one has. */
function repeated<Entry extends object>(
  list: string,
  entries: readonly Entry[],
  fields: readonly (keyof Entry & string)[],
): Repetition[] {
  return fields.flatMap((field) => {
    const first = new Map<unknown, number>()
    return entries.flatMap((entry, index): Repetition[] => {
      const value = entry[field]
      if (value === undefined) return []
      const holder = first.get(value)
      if (holder === undefined) {
        first.set(value, index)
        return []
      }
      const advice = field === 'name' ? '. Give each an id of its own' : ''
      return [
        {
          path: [list, index, field],
          value,
          message: `${list}[${holder}] has this ${field} already${advice}`,
        },
      ]
    })
  })
}

/** The schema as JSON Schema, in the draft that editors know. It names no address of its own. */
export const seedJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(SeedFile, { target: 'draft-07', io: 'input' }),
  title: 'A seed of paylink-sandbox',
})
