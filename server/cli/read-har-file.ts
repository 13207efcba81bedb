import { readFile, stat } from 'node:fs/promises'
import { MAX_HAR_BYTES } from '../domain/har/read-har.ts'
import { formatMebibytes, MIB } from '../domain/http/limits.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { codeOf, fileTroubleOf } from '../platform/system/file-trouble.ts'
import { fileIn, type CommandIo } from './io.ts'

/** The text of a HAR file that the user named. Throws a `UsageError` if it cannot be read or is too large. */
export async function readHarFile(io: CommandIo, name: string): Promise<string> {
  const path = fileIn(io, name)
  try {
    const info = await stat(path)
    if (info.isDirectory()) throw cannotRead(name, 'it is a folder. Name a file in it')
    // Checked before reading: a string cannot hold more than half a gibibyte.
    if (info.size > MAX_HAR_BYTES) throw tooLarge(name, info.size)
    // Some proxies begin the file with a byte order mark.
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    throw error instanceof UsageError ? error : cannotRead(name, reasonOf(error))
  }
}

const cannotRead = (name: string, reason: string): UsageError =>
  new UsageError(`Cannot read ${name}: ${reason}.`)

const tooLarge = (name: string, bytes: number): UsageError =>
  cannotRead(
    name,
    `it has ${Math.ceil(bytes / MIB)} MiB, and a HAR file may have at most ${formatMebibytes(MAX_HAR_BYTES)}. Record a shorter session, or save only the requests to /api/v2/`,
  )

function reasonOf(error: unknown): string {
  if (codeOf(error) === 'ENOENT') return 'there is no such file'
  if (codeOf(error) === 'EACCES') return 'this user may not read it'
  return fileTroubleOf(error)?.what ?? (error instanceof Error ? error.message : String(error))
}
