import { CalibrationFileSchema, type CalibrationFile } from '../../contract/schemas/calibration.ts'
import { plainMessages } from '../../contract/schemas/plain-issue.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { readJsonFile } from '../../platform/system/read-file.ts'

/** Reads the result of `calibrate`. `name` is the path as the user wrote it. */
export async function readCalibration(file: string, name = file): Promise<CalibrationFile> {
  const refuse = (why: string): UsageError =>
    new UsageError(`${name} is not a result of calibrate: ${why}. Run calibrate again, or pass another file.`)
  const parsed = CalibrationFileSchema.safeParse(await readJsonFile(file, name, { refuse }), plainMessages)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw refuse(`${issue!.path.join('.') || 'the file'}: ${issue!.message}`)
}
