import type { Seed } from '../../domain/state/seed.ts'
import { parseSeedFile, type SeedError } from '../../contract/seed/parse-seed-file.ts'
import { findDanglingReferences } from '../../contract/seed/dangling-references.ts'
import { formatPath } from '../../contract/seed/explain-issues.ts'
import { toSeed } from '../../contract/seed/seed-schema.ts'
import { asSentence } from '../../domain/text/as-sentence.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { readJsonFile } from '../../platform/system/read-file.ts'

export async function readSeedFile(name: string): Promise<Seed> {
  const refuse = (why: string): UsageError =>
    new UsageError((option) => `Seed ${name} cannot be read: ${why}. Set ${option('seed')} to a JSON file.`)
  return readSeed(await readJsonFile(name, name, { refuse }), name)
}

/** Validates and converts a seed. `name` is the name of its file. */
export function readSeed(raw: unknown, name?: string): Seed {
  const read = parseSeedFile(raw)
  const { first, isAll } = 'mistakes' in read ? read.mistakes : { first: [], isAll: true }
  const dangling = findDanglingReferences(raw).map(({ path, message }) => ({
    path: formatPath(path),
    message,
  }))
  if (!('file' in read) || dangling.length > 0) throw seedError(name, inLines([...first, ...dangling], isAll))
  return toSeed(read.file)
}

const MAX_SHOWN = 10

/** A single mistake stays on the line of the message. Several mistakes get one line each. */
function inLines(mistakes: readonly SeedError[], isAll: boolean): string {
  const lines = mistakes.map(({ path, message }) => asSentence(`${path || 'the seed'}: ${message}`))
  if (lines.length === 1) return lines[0]!
  const number = isAll ? `${lines.length}` : `More than ${lines.length}`
  const others =
    lines.length > MAX_SHOWN ? [isAll ? `And ${lines.length - MAX_SHOWN} more.` : 'And more.'] : []
  return [`${number} mistakes.`, ...lines.slice(0, MAX_SHOWN), ...others].join('\n  ')
}

export const seedError = (name: string | undefined, why: string): UsageError =>
  new UsageError(`${name === undefined ? 'The seed' : `Seed ${name}`} cannot be loaded: ${why}`)
