import { readFileSync } from 'node:fs'
import { CalibrationFileSchema, type CalibrationFile } from '../../contract/schemas/calibration.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

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
