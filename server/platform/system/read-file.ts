import { constants } from 'node:fs'
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises'
import { formatMebibytes, MIB } from '../../domain/http/limits.ts'
import { decodeFile } from '../../domain/text/decode-file.ts'
import { jsonErrorAt } from '../../domain/text/json-error-at.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { codeOf, explainPathError } from './file-trouble.ts'

interface ReadOptions {
  /** Creates the error for a file that cannot be used. `why` is the middle part of the message. */
  readonly refuse: (why: string) => Error
  readonly maxBytes?: number
  /** The advice for a file that is too large. */
  readonly tooLarge?: string
  /** What the error says about a file that is not text. */
  readonly notText?: string
  /** Whether the file is code, which must be UTF-8. */
  readonly isCode?: boolean
}

const MAX_BYTES = 64 * MIB

/** Reads a file that the user named, as text. Converts UTF-16, and removes a byte order mark. */
export async function readTextFile(
  path: string,
  {
    refuse,
    maxBytes = MAX_BYTES,
    tooLarge,
    notText = 'it is not text in UTF-8. Save it as UTF-8',
    isCode = false,
  }: ReadOptions,
): Promise<string> {
  const bytes = await withFile(path, refuse, (file, size) => {
    // Checks the size before reading, because a string cannot hold more than half a gibibyte.
    if (size <= maxBytes) return file.readFile()
    const advice = tooLarge === undefined ? '' : `. ${tooLarge}`
    throw refuse(
      `it has ${Math.ceil(size / MIB)} MiB, and at most ${formatMebibytes(maxBytes)} are read${advice}`,
    )
  })
  const decoded = decodeFile(bytes, isCode)
  if ('not' in decoded) throw refuse(ARCHIVES[decoded.not] ?? notText)
  const { text } = decoded
  if (text.trim() === '') throw refuse('it is empty')
  return text
}

/** Reads a JSON file that the user named. `name` is the path as the user wrote it. */
export async function readJsonFile(path: string, name: string, options: ReadOptions): Promise<unknown> {
  return parseJsonFile(await readTextFile(path, options), name, options.refuse)
}

export function parseJsonFile(text: string, name: string, refuse: ReadOptions['refuse']): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Some messages have a position, and others quote the text around it.
    const [what] = reasonOf(error).split(/ in JSON at position|, (?:\.\.\.)?"|; "/)
    const before = text.slice(0, jsonErrorAt(text)).split('\n')
    throw refuse(`${what} at ${name}:${before.length}:${before.at(-1)!.length + 1}`)
  }
}

/** Without this flag, opening a pipe would wait for a writer. Windows has no such pipes. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Reads the first bytes of a file, up to a limit. `size` is the size of the whole file. */
export const readBeginning = (
  path: string,
  limit: number,
  refuse: ReadOptions['refuse'],
): Promise<{ readonly bytes: Uint8Array; readonly size: number }> =>
  withFile(path, refuse, async (file, size) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, limit)))
    return { bytes: buffer.subarray(0, bytesRead), size }
  })

async function withFile<Result>(
  path: string,
  refuse: ReadOptions['refuse'],
  read: (file: FileHandle, size: number) => Promise<Result>,
): Promise<Result> {
  let file: FileHandle | undefined
  try {
    file = await open(path, READ_AT_ONCE)
    const info = await file.stat()
    if (info.isDirectory()) throw refuse('it is a folder. Name a file in it')
    if (!info.isFile())
      throw refuse('it is a pipe or a device. Save its content to a file, and name that file')
    return await read(file, info.size)
  } catch (error) {
    const why = await explainFileError(path, error)
    throw why === undefined ? error : refuse(why)
  } finally {
    await file?.close()
  }
}

/** Why a file could not be opened or read. `undefined` if the error does not come from the operating system. */
export async function explainFileError(path: string, error: unknown): Promise<string | undefined> {
  switch (codeOf(error)) {
    case '':
      return undefined
    case 'ENOENT': {
      const isLink = await lstat(path).then(
        (info) => info.isSymbolicLink(),
        () => false,
      )
      return isLink
        ? `it is a symbolic link to ${await readlink(path)}, and there is no such file`
        : 'there is no such file'
    }
    case 'EACCES':
    case 'EPERM':
      return 'this user may not read it'
    default:
      return explainPathError(error)
  }
}

const ARCHIVES: Readonly<Record<string, string>> = {
  zip: 'it is a ZIP archive. Unpack it into a folder of its own, and name the file in it',
  gzip: 'it is compressed with gzip. Unpack it first',
}
