import { z } from 'zod'
import { AccountSchema } from './account.ts'
import { readonlyList } from './fields.ts'
import { InvoiceSchema } from './invoice.ts'
import { LinkSchema } from './link.ts'
import { RefundSchema } from './refund.ts'

export const LoadedSeedSchema = z
  .object({
    accounts: readonlyList(AccountSchema).meta({ description: 'The accounts, with their keys.' }),
    links: readonlyList(LinkSchema),
    refunds: readonlyList(RefundSchema),
    invoices: readonlyList(InvoiceSchema),
  })
  .meta({ id: 'Planted', description: 'What a seed created, in the sequence of the seed.' })

/** An exported seed. The schema of seeds describes all its fields. */
export const ExportedSeedSchema = z
  .object({
    accounts: readonlyList(z.looseObject({ id: z.string(), name: z.string() })),
    links: readonlyList(z.looseObject({ id: z.int(), account: z.string(), amount: z.number() })),
    invoices: readonlyList(z.looseObject({ sfId: z.string(), account: z.string() })),
    behaviors: z.record(z.string(), z.string()).optional(),
    clock: z.looseObject({ mode: z.enum(['running', 'frozen']) }).optional(),
  })
  .meta({
    id: 'ExportedSeed',
    description: 'The current state, in the form that POST /_sandbox/v1/seed accepts.',
  })

export const JsonSchemaDocument = z
  .looseObject({ $schema: z.string(), title: z.string(), type: z.literal('object') })
  .meta({ description: 'A JSON Schema, for editors.' })
