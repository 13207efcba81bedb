import type { SeedInput } from '../domain/state/seed-input.ts'
import type { Seed } from '../domain/state/seed.ts'
import { parseSeedFile, type SeedError } from '../contract/seed/parse-seed-file.ts'
import { findDanglingReferences } from '../contract/seed/dangling-references.ts'
import { formatPath } from '../contract/seed/explain-issues.ts'
import { toSeed } from '../contract/seed/seed-schema.ts'
import { readFileSync } from 'node:fs'
import { UsageError } from '../domain/text/usage-error.ts'

/** Reads a seed, or the seed file of that name. */
export function readSeed(given: SeedInput | string): Seed {
  const raw = typeof given === 'string' ? readFile(given) : given
  const read = parseSeedFile(raw)
  const { first, isAll } = 'mistakes' in read ? read.mistakes : { first: [], isAll: true }
  const stray = findDanglingReferences(raw).map(({ path, message }) => ({ path: formatPath(path), message }))
  if (!('file' in read) || stray.length > 0) throw unusable(given, inLines([...first, ...stray], isAll))
  return toSeed(read.file)
}

const MAX_TOLD = 10

/** One mistake goes on in the line; of several each has its own. */
function inLines(mistakes: readonly SeedError[], isAll: boolean): string {
  const told = mistakes.map(({ path, message }) => sentence(`${path || 'the seed'}: ${message}`))
  if (told.length === 1) return told[0]!
  const number = isAll ? `${told.length}` : `More than ${told.length}`
  const others = told.length > MAX_TOLD ? [isAll ? `And ${told.length - MAX_TOLD} more.` : 'And more.'] : []
  return [`${number} mistakes.`, ...told.slice(0, MAX_TOLD), ...others].join('\n  ')
}

function readFile(name: string): unknown {
  let text: string
  try {
    text = readFileSync(name, 'utf8')
  } catch (error) {
    throw new UsageError(`Seed ${name} cannot be read: ${reason(error)}. Pass --seed with a JSON file.`)
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`Seed ${name} is not JSON: ${reason(error)}.`)
  }
}

export const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** Some messages of the machine go on for lines. */
const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')

export const unusable = (given: SeedInput | string, why: string): UsageError =>
  new UsageError(`${typeof given === 'string' ? `Seed ${given}` : 'The seed'} cannot be planted: ${why}`)
