import { readFileSync } from 'node:fs'
import { CalibrationFileSchema, type CalibrationFile } from '../contract/schemas/calibration.ts'
import type { ConfirmedPoints } from '../domain/behaviors/behavior.ts'
import type { AssumptionName } from '../domain/behaviors/open-points.ts'
import { UsageError } from '../domain/text/usage-error.ts'

/** Reads the result of `calibrate`. `name` is how the user wrote the file. */
export function readCalibration(file: string, name = file): CalibrationFile {
  const refuse = (why: string): UsageError =>
    new UsageError(`${name} is no result of calibrate: ${why}. Run calibrate again, or name another file.`)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error))
  }
  const parsed = CalibrationFileSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw refuse(`${issue!.path.join('.') || 'the file'}: ${issue!.message}`)
}

/** The open points that a result confirms. */
export const confirmedIn = ({ points }: CalibrationFile): ConfirmedPoints =>
  new Map(
    Object.entries(points).flatMap(([name, point]) =>
      point.verdict === 'confirmed' ? [[name as AssumptionName, point.value] as const] : [],
    ),
  )
