import { realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import {
  entriesIn,
  MAX_HAR_BYTES,
  readCalls,
  type LeftOut,
  type RecordedCalls,
} from '../domain/har/read-har.ts'
import { encodeBody } from '../domain/http/exchange.ts'
import { formatMebibytes, MAX_BODY_BYTES } from '../domain/http/limits.ts'
import { isRecord } from '../domain/text/is-object.ts'
import { reasonOf } from '../domain/text/reason-of.ts'
import { truncate } from '../domain/text/truncate.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { andList } from '../domain/text/word-lists.ts'
import { visibleLine } from '../domain/text/visible.ts'
import { explainFileError, readBeginning, readTextFile } from '../platform/system/read-file.ts'
import { fileIn, type CommandIo } from './io.ts'

export interface HarFile extends RecordedCalls {
  /** `log.entries`, with the times of the calls. Bodies from separate files are included. */
  readonly entries: readonly Fields[]
}

type Fields = Record<string, unknown>

/**
 * Reads the calls in a HAR file that the user named. With `origin`, reads only calls to that origin. Throws a `UsageError` if the
 * file cannot be read, is too large or is not an HTTP Archive.
 */
export async function readHarFile(io: CommandIo, name: string, origin: string | undefined): Promise<HarFile> {
  const path = fileIn(io, name)
  const text = await readText(path, name)
  const entries = entriesIn(text) as readonly Fields[]
  const unreadable = await embedFiles(
    readCalls(entries, origin).calls.map(({ index }) => [index, entries[index]!] as const),
    dirname(path),
  )
  const recorded = readCalls(entries, origin)
  if (origin !== undefined && recorded.calls.length === 0) rejectOrigin(name, origin, entries)
  for (const { index, startedAt } of recorded.calls) {
    if (startedAt !== null) entries[index]!.startedDateTime = startedAt
  }
  return { ...recorded, entries, leftOut: [...recorded.leftOut, ...unreadable] }
}

/** Throws if a file has calls, but none to the origin that was named. */
function rejectOrigin(name: string, origin: string, entries: readonly Fields[]): void {
  const all = readCalls(entries).calls.map(({ exchange }) => new URL(exchange.request.url).origin)
  const origins = [...new Set(all)]
  if (origins.length === 0) return
  throw new UsageError(
    `${name} has no call to ${origin}. It has calls to ${andList(origins.map((one) => visibleLine(one)))}.`,
  )
}

const readText = (path: string, name: string): Promise<string> =>
  readTextFile(path, {
    maxBytes: MAX_HAR_BYTES,
    tooLarge: 'Record a shorter session, or save only the requests to /api/v2/',
    refuse: (why) => new UsageError(`Cannot read ${name}: ${why}.`),
  })

/**
 * Some bodies are stored in separate files next to the HAR file, as Playwright does (`_file`). Puts these bodies into the
 * entries. Returns the files that cannot be read.
 */
async function embedFiles(
  entries: readonly (readonly [index: number, entry: Fields])[],
  folder: string,
): Promise<LeftOut[]> {
  const unreadable: LeftOut[] = []
  let total = 0
  for (const [index, { request, response }] of entries) {
    const bodies = [
      ['request.postData', isRecord(request) ? request.postData : undefined],
      ['response.content', isRecord(response) ? response.content : undefined],
    ] as const
    for (const [place, body] of bodies) {
      const { _file: file } = isRecord(body) ? body : {}
      if (!isRecord(body) || typeof file !== 'string' || hasText(body)) continue
      try {
        if (total > MAX_HAR_BYTES) {
          throw new Error(`the files together have more than ${formatMebibytes(MAX_HAR_BYTES)}`)
        }
        const { content, encoding, size } = await readBodyFile(folder, file)
        total += content.length
        Object.assign(body, { text: content, size, encoding: encoding === 'base64' ? encoding : undefined })
      } catch (error) {
        unreadable.push({
          place: `log.entries[${index}].${place}._file`,
          reason: `cannot read ${visibleLine(truncate(JSON.stringify(file), 200))}: ${await explainBodyFile(resolve(folder, file), error)}`,
        })
      }
    }
  }
  return unreadable
}

const explainBodyFile = async (path: string, error: unknown): Promise<string> =>
  (await explainFileError(path, error)) ?? reasonOf(error)

const hasText = ({ text }: Fields): boolean => typeof text === 'string' && text !== ''

/** Reads the beginning of a file below the folder. Rejects files elsewhere, because the HAR file may come from someone else. */
async function readBodyFile(folder: string, name: string) {
  const path = await realpath(resolve(folder, name))
  const root = await realpath(folder)
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new Error('it is not in the folder of the HAR file')
  }
  const { bytes, size } = await readBeginning(path, MAX_BODY_BYTES, (why) => new Error(why))
  return encodeBody(bytes, size)
}
