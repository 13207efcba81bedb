import { z } from 'zod'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'
import { readonlyList } from './fields.ts'

const pointNames = Object.keys(openPoints) as [AssumptionName, ...AssumptionName[]]

const date = z.iso.date()

const Point = z.discriminatedUnion('verdict', [
  z.strictObject({
    verdict: z.literal('confirmed'),
    /** The confirmed option. Missing for an assumption. */
    value: z.string().optional(),
    /** The number of exchanges that confirm this. */
    exchanges: z.int().positive(),
    on: date,
  }),
  z.strictObject({ verdict: z.literal('differs'), exchanges: z.int().positive(), on: date }),
  z.strictObject({ verdict: z.literal('undecided'), reason: z.string() }),
])

const Difference = z.strictObject({
  probe: z.string(),
  request: z.string(),
  operation: z.string(),
  place: z.string(),
  kind: z.string(),
  sandbox: z.string().nullable(),
  service: z.string().nullable(),
  /** The open point that explains the difference, or `null` if none does. */
  point: z.enum(pointNames).nullable(),
  /** Whether the reference shows what the sandbox responds at this place. */
  documented: z.boolean(),
})

const Missing = z.strictObject({
  probe: z.string(),
  request: z.string(),
  /** What arrived instead of a response, or why nothing arrived. */
  reason: z.string(),
})

/** The file `paylink.calibration.json`. If older files no longer match this schema, increase `version`. */
export const CalibrationFileSchema = z.strictObject({
  version: z.literal(1),
  target: z.string(),
  sandbox: z.string(),
  points: z.partialRecord(z.enum(pointNames), Point),
  differences: readonlyList(Difference),
  /** The requests that the service did not answer. */
  missing: readonlyList(Missing).optional(),
})

export type CalibrationFile = z.output<typeof CalibrationFileSchema>
export type CalibrationPoint = z.output<typeof Point>
export type CalibrationDifference = z.output<typeof Difference>
