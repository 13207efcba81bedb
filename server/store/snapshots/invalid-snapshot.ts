import { codeOf } from '../../platform/system/file-trouble.ts'

/** A file is not a snapshot that this version can restore. The message says why, and is printed after a colon. */
export class InvalidSnapshotError extends Error {}

/** Turns an error that occurred while unpacking a snapshot into an `InvalidSnapshotError`. Throws any other error. */
export function explainDamage(error: unknown): InvalidSnapshotError {
  if (error instanceof InvalidSnapshotError) return error
  const code = codeOf(error)
  if (code === 'Z_BUF_ERROR') return new InvalidSnapshotError('it is incomplete: its end is missing')
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new InvalidSnapshotError('it is damaged: it is not UTF-8')
  if (!code.startsWith('Z_')) throw error
  const { message } = error as Error
  return new InvalidSnapshotError(
    message === 'incorrect header check'
      ? 'it is not a snapshot: it is not in gzip format'
      : `it is damaged: ${message}`,
  )
}
