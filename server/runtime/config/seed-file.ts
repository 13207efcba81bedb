import type { SeedInput } from '../../domain/state/seed-input.ts'
import type { Seed } from '../../domain/state/seed.ts'
import { parseSeedFile, type SeedError } from '../../contract/seed/parse-seed-file.ts'
import { findDanglingReferences } from '../../contract/seed/dangling-references.ts'
import { formatPath } from '../../contract/seed/explain-issues.ts'
import { toSeed } from '../../contract/seed/seed-schema.ts'
import { readFileSync } from 'node:fs'
import { UsageError } from '../../domain/text/usage-error.ts'

/** Reads a seed, or the seed file with that name. */
export function readSeed(given: SeedInput | string): Seed {
  const raw = typeof given === 'string' ? readFile(given) : given
  const read = parseSeedFile(raw)
  const { first, isAll } = 'mistakes' in read ? read.mistakes : { first: [], isAll: true }
  const dangling = findDanglingReferences(raw).map(({ path, message }) => ({
    path: formatPath(path),
    message,
  }))
  if (!('file' in read) || dangling.length > 0)
    throw seedError(given, inLines([...first, ...dangling], isAll))
  return toSeed(read.file)
}

const MAX_SHOWN = 10

/** One mistake stays on the line of the message. Each of several gets its own line. */
function inLines(mistakes: readonly SeedError[], isAll: boolean): string {
  const lines = mistakes.map(({ path, message }) => sentence(`${path || 'the seed'}: ${message}`))
  if (lines.length === 1) return lines[0]!
  const number = isAll ? `${lines.length}` : `More than ${lines.length}`
  const others =
    lines.length > MAX_SHOWN ? [isAll ? `And ${lines.length - MAX_SHOWN} more.` : 'And more.'] : []
  return [`${number} mistakes.`, ...lines.slice(0, MAX_SHOWN), ...others].join('\n  ')
}

function readFile(name: string): unknown {
  let text: string
  try {
    text = readFileSync(name, 'utf8')
  } catch (error) {
    throw new UsageError(
      (option) => `Seed ${name} cannot be read: ${reason(error)}. Set ${option('seed')} to a JSON file.`,
    )
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`Seed ${name} is not JSON: ${reason(error)}.`)
  }
}

export const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** Some messages of the system have several lines. */
const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')

export const seedError = (given: SeedInput | string, why: string): UsageError =>
  new UsageError(`${typeof given === 'string' ? `Seed ${given}` : 'The seed'} cannot be loaded: ${why}`)
