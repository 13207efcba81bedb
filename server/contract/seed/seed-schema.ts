import { z } from 'zod'
import type { SchemasOf } from '../schemas/fields.ts'
import {
  isBehaviorValue,
  behaviorNames,
  optionNames,
  describeOptions,
  type BehaviorChoices,
} from '../../domain/behaviors/behavior.ts'
import { behaviorRow, openPoints, type BehaviorName } from '../../domain/behaviors/open-points.ts'
import { accountFields, accountNameField, environment, BillingSchema } from '../schemas/account-fields.ts'
import type { SeedAccount, SeedInvoice, SeedClock, Seed } from '../../domain/state/seed.ts'
import { unicodeText, nonNegativeAmount, utcInstant } from '../schemas/request-fields.ts'
import { MAX_CLOCK_TIME, MIN_CLOCK_TIME } from '../../domain/time/clock.ts'
import { SeedLinkSchema } from './seed-link-schema.ts'
import type { SeedInput } from '../../domain/state/seed-input.ts'

/** Behaviors by name, as in a seed. */
const BehaviorsSchema: z.ZodType<BehaviorChoices, BehaviorChoices> = z
  .strictObject(Object.fromEntries(behaviorNames.map((name) => [name, behaviorChoice(name).optional()])))
  .meta({ id: 'SeedBehaviors' })

/**
 * The schema of a behavior's value. If the behavior has a `pattern`, other values are valid as well, and the options are only
 * examples for editors.
 */
export function behaviorChoice(name: BehaviorName) {
  const options = optionNames(name)
  return z
    .string()
    .refine((value) => isBehaviorValue(name, value), { error: `should be ${describeOptions(name)}` })
    .meta({
      description: openPoints[name].assumption,
      ...(behaviorRow(name).pattern ? { examples: options } : { enum: options }),
    })
}

/** The maximum number of entries in a seed, because a seed is loaded in one unit of work. Snapshots can contain more. */
export const MAX_SEED_ENTRIES = { accounts: 10_000, links: 10_000, invoices: 10_000 } as const

export const tooManyError = (what: keyof typeof MAX_SEED_ENTRIES) => ({
  error: `should have at most ${MAX_SEED_ENTRIES[what]} ${what}. A snapshot holds any number`,
})

/** Does not set `maxItems`, because some generators would write a tuple with that many items. */
const listOf = <Entry extends z.ZodType>(
  what: keyof typeof MAX_SEED_ENTRIES,
  entry: Entry,
  description: string,
) =>
  z
    .array(entry)
    .refine((entries) => entries.length <= MAX_SEED_ENTRIES[what], tooManyError(what))
    .default([])
    .describe(`${description} At most ${MAX_SEED_ENTRIES[what]}.`)

export const seedAccountId = z.guid({ error: 'should be a UUID' })

const SeedAccountSchema = z
  .strictObject({
    ...accountFields,
    id: seedAccountId.optional().describe('The user_id of its links and webhooks.'),
    name: accountNameField,
    environment: environment.optional(),
    behaviors: BehaviorsSchema.optional().describe(
      'Behaviors of this account: what the sandbox does where the API reference is silent.',
    ),
  } satisfies SchemasOf<SeedAccount>)
  .meta({ id: 'SeedAccount' })

/** A month whose end the clock can reach. */
export const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'should be a month, like 2026-06', abort: true })
  .refine((value) => value >= '1970-01' && value <= '9998-12', { error: 'should be from 1970-01 to 9998-12' })

export const SeedInvoiceSchema = z.strictObject({
  account: unicodeText.describe('The account that is billed, by name or id.'),
  serviceMonth: month,
  platformFee: nonNegativeAmount.describe('In euros.'),
  pspFee: nonNegativeAmount.describe('In euros.'),
  vat: nonNegativeAmount.optional().describe('In euros. Default: 19 % of the fees, or 0 for reverse charge.'),
  sfId: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: 'should be digits that do not begin with 0, like 501' })
    .optional(),
  invoiceId: z
    .string()
    .regex(/^\d{6}-sf-[A-Z0-9]{10}$/, { error: 'should be like 202607-sf-7643D363A2' })
    .optional(),
  invoiceDate: z.iso.date({ error: 'should be a date, like 2026-07-01' }).optional(),
  createdAt: utcInstant.optional(),
  billing: BillingSchema.omit({ reverseCharge: true })
    .partial()
    .optional()
    .describe('The address on the invoice. Default: that of the account.'),
} satisfies SchemasOf<SeedInvoice>)

/** The time between the first and the last time that the clock can show. */
const CLOCK_RANGE_MS = Date.parse(MAX_CLOCK_TIME) - Date.parse(MIN_CLOCK_TIME)

/** The offset of the sandbox's clock from the system clock. */
export const clockOffsetMs = z.int({ abort: true }).min(-CLOCK_RANGE_MS).max(CLOCK_RANGE_MS)

const SeedClockSchema = z
  .strictObject({
    now: utcInstant.optional(),
    mode: z.enum(['running', 'frozen']).default('running'),
    offsetMs: clockOffsetMs
      .optional()
      .describe("How far the clock is ahead of the machine's, instead of now."),
  } satisfies SchemasOf<SeedClock>)
  .refine(({ now, offsetMs, mode }) => offsetMs === undefined || (now === undefined && mode === 'running'), {
    path: ['offsetMs'],
    error: 'replaces now, and is only possible with a running clock',
  })

/** The schema of seeds in files, requests and exports. */
export const SeedFileSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The address of this schema, for editors.'),
    accounts: listOf('accounts', SeedAccountSchema, 'Accounts. Only the name is required.'),
    links: listOf('links', SeedLinkSchema, 'Payment links, in any state.'),
    invoices: listOf(
      'invoices',
      SeedInvoiceSchema.meta({ id: 'SeedInvoice' }),
      'Tax invoices of months that have ended.',
    ),
    behaviors: BehaviorsSchema.default({}).describe(
      'Behaviors of all accounts: what the sandbox does where the API reference is silent.',
    ),
    clock: SeedClockSchema.optional().describe('The setting of the clock. Default: it does not change.'),
  } satisfies SchemasOf<SeedInput>)
  .superRefine((seed, { addIssue }) => {
    const named = seed.accounts.filter(({ id }) => id === undefined)
    const namesakes = new Set(named.map(({ name }) => name))
    const repetitions = [
      ...findDuplicates('accounts', seed.accounts, ['id', 'apiKey', 'recipientToken']),
      ...findDuplicates('links', seed.links, ['id', 'payId']),
      ...findDuplicates('invoices', seed.invoices, ['sfId', 'invoiceId']),
      ...findDuplicates('accounts', seed.accounts, ['name']).filter(({ value }) =>
        namesakes.has(value as string),
      ),
    ]
    for (const { path, message } of repetitions) {
      addIssue({ code: 'custom', input: seed, path, message })
    }
  })

/** Returns the seed without `$schema`, which only editors use. */
export function toSeed(file: z.output<typeof SeedFileSchema>): Seed {
  const { $schema: _, ...seed } = file
  return seed
}

interface DuplicateValue {
  readonly path: (string | number)[]
  readonly value: unknown
  readonly message: string
}

/** Entries with a name that an earlier entry already has. */
function findDuplicates<Entry extends object>(
  list: string,
  entries: readonly Entry[],
  fields: readonly (keyof Entry & string)[],
): DuplicateValue[] {
  return fields.flatMap((field) => {
    const first = new Map<unknown, number>()
    return entries.flatMap((entry, index): DuplicateValue[] => {
      const value = entry[field]
      if (value === undefined) return []
      const holder = first.get(value)
      if (holder === undefined) {
        first.set(value, index)
        return []
      }
      const advice = field === 'name' ? '. Give each one a different id' : ''
      return [
        {
          path: [list, index, field],
          value,
          message: `${list}[${holder}] already has this ${field}${advice}`,
        },
      ]
    })
  })
}

/** The schema of seeds as JSON Schema, in the draft that editors support, and without `$id`. */
export const createSeedJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(SeedFileSchema, {
    target: 'draft-07',
    io: 'input',
    override: ({ jsonSchema }) => void delete jsonSchema.id,
  }),
  title: 'A seed of paylink-sandbox',
})
