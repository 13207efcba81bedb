import { z } from 'zod'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'

/**
 * A shape that is exactly what is shown, or does not compile. The types come first: the package hands them out, and
 * whoever installs it is not to need zod's.
 */
export const schemaFor =
  <Shown>() =>
  <Shape extends z.ZodType<Shown>>(shape: [Shown] extends [z.output<Shape>] ? Shape : never): Shape =>
    shape

/** A list that is looked at only, as everything shown is. */
export const readonlyList = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const instant = z.string().meta({ format: 'date-time' })

export const euros = z.number()

export const assumed = readonlyList(z.enum(Object.keys(openPoints) as AssumptionName[])).meta({
  description: 'The open points it rests on.',
})

export const entryPoint = z
  .enum(['api', 'checkout', 'control', 'tunnel'])
  .meta({ description: 'Where it was done.' })

/** Whom and what an event is about. */
export const about = {
  accountId: z.string().nullable(),
  linkId: z.int().nullable(),
  payId: z.int().nullable(),
}

/** What every event has. */
export const recordedFields = {
  seq: z.int().meta({ description: 'Its place in the journal.' }),
  at: instant,
  ...about,
}

/** The spelling of the behavior `statusText` that was in force. */
export const statusText = z.enum(['Success', 'cancel', 'success'])
