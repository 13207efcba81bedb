import { z } from 'zod'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'
import { diagnosticCodes } from '../../domain/diagnostics/diagnostic.ts'
import { statusTexts } from '../../domain/webhooks/webhook.ts'

/**
 * The type with every field required, at any depth. Without this, types that differ only in optional fields would count as equal.
 */
type Full<Type> = Type extends string ? Type : { [Field in keyof Type]-?: Full<Type[Field]> }

/**
 * Declares a schema whose output is exactly the type parameter. If the output differs, even in an optional field, it does not
 * compile. The type is not derived from the schema, because users of the package need not have zod.
 */
export const schemaFor =
  <Shown>() =>
  <Shape extends z.ZodType<Shown>>(
    shape: [Shown, Full<Shown>, Full<z.output<Shape>>] extends [
      z.output<Shape>,
      Full<z.output<Shape>>,
      Full<Shown>,
    ]
      ? Shape
      : never,
  ): Shape =>
    shape

/** A schema for each field of a record. The compiler compares it with the type of the field. */
export type SchemasOf<Shape> = { readonly [Field in keyof Shape]-?: z.ZodType<Shape[Field]> }

/** A read-only list. Everything that the control API returns is read-only. */
export const readonlyList = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const instant = z.string().meta({ format: 'date-time' })

export const euros = z.number()

export const openPoint = z
  .enum(Object.keys(openPoints) as AssumptionName[])
  .meta({ id: 'OpenPoint', description: 'Something that the API reference leaves open.' })

export const assumed = readonlyList(openPoint).meta({
  description: 'The open points that it depends on.',
})

export const diagnosticCode = z
  .enum(diagnosticCodes)
  .meta({ id: 'DiagnosticCode', description: 'The kind of a finding.' })

export const entryPoint = z
  .enum(['api', 'checkout', 'control', 'tunnel'])
  .meta({ description: 'The entry point that was used.' })

/** The account, the link and the payment of an event. */
export const about = {
  accountId: z.string().nullable(),
  linkId: z.int().nullable(),
  payId: z.int().nullable(),
}

/** The fields that every recorded event has. */
export const recordedFields = {
  seq: z.int().meta({ description: 'Its position in the journal.' }),
  at: instant,
  ...about,
}

/** A payment status. Its spelling is decided by the behavior `statusText`, or by the call of sendWebhookViaPayId. */
export const statusText = z.string().meta({ examples: [...statusTexts] })

export const replica = z
  .object({
    role: z.enum(['leader', 'follower', 'none', 'stopping']),
    leader: z.string().nullable().meta({ description: 'The address of the process that leads.' }),
    followers: readonlyList(z.string())
      .optional()
      .meta({ description: 'The addresses of the others. Only in `/info`.' }),
    versions: readonlyList(z.string()).optional().meta({
      description: 'The versions of the sandbox that run: more than one during an update. Only in `/ready`.',
    }),
  })
  .meta({ id: 'Replica', description: 'Present if several processes share the database.' })

export const databaseEngine = z
  .string()
  .meta({ description: 'The database engine with its version, like `PostgreSQL 15.4`.' })
