import { z } from 'zod'
import { AccountShape } from './account.ts'
import { list } from './fields.ts'
import { InvoiceShape } from './invoice.ts'
import { LinkShape } from './link.ts'
import { RefundShape } from './refund.ts'

export const PlantedShape = z
  .object({
    accounts: list(AccountShape).meta({ description: 'With their keys.' }),
    links: list(LinkShape),
    refunds: list(RefundShape),
    invoices: list(InvoiceShape),
  })
  .meta({ id: 'Planted', description: 'What a seed has become, in its order.' })

/** What all of it may say, the schema of seeds says. */
export const SeedShape = z
  .object({
    accounts: list(z.looseObject({ id: z.string(), name: z.string() })),
    links: list(z.looseObject({ id: z.int(), account: z.string(), amount: z.number() })),
    invoices: list(z.looseObject({ sfId: z.string(), account: z.string() })),
    behaviors: z.record(z.string(), z.string()).optional(),
    clock: z.looseObject({ mode: z.enum(['running', 'frozen']) }).optional(),
  })
  .meta({ id: 'ExportedSeed', description: 'What there is, as POST /_sandbox/v1/seed takes it.' })

export const JsonSchemaShape = z
  .looseObject({ $schema: z.string(), title: z.string(), type: z.literal('object') })
  .meta({ description: 'A JSON Schema, for editors.' })
