import type { SeedInput } from '../domain/state/seed-input.ts'
import type { Seed } from '../domain/state/seed.ts'
import { readSeedFile, type Mistake } from '../contract/seed/read-seed.ts'
import { strayReferences } from '../contract/seed/dangling-references.ts'
import { placeOf } from '../contract/seed/explain-issues.ts'
import { seedOf } from '../contract/seed/seed-schema.ts'
import { readFileSync } from 'node:fs'
import { UsageProblem } from '../domain/text/usage-error.ts'

/** Reads a seed, or the seed file of that name. */
export function readSeed(given: SeedInput | string): Seed {
  const raw = typeof given === 'string' ? readFile(given) : given
  const read = readSeedFile(raw)
  const { first, isAll } = 'mistakes' in read ? read.mistakes : { first: [], isAll: true }
  const stray = strayReferences(raw).map(({ path, message }) => ({ path: placeOf(path), message }))
  if (!('file' in read) || stray.length > 0) throw unusable(given, inLines([...first, ...stray], isAll))
  return seedOf(read.file)
}

const MOST_TOLD = 10

/** One mistake goes on in the line; of several each has its own. */
function inLines(mistakes: readonly Mistake[], isAll: boolean): string {
  const told = mistakes.map(({ path, message }) => sentence(`${path || 'the seed'}: ${message}`))
  if (told.length === 1) return told[0]!
  const number = isAll ? `${told.length}` : `More than ${told.length}`
  const others = told.length > MOST_TOLD ? [isAll ? `And ${told.length - MOST_TOLD} more.` : 'And more.'] : []
  return [`${number} mistakes.`, ...told.slice(0, MOST_TOLD), ...others].join('\n  ')
}

function readFile(name: string): unknown {
  let text: string
  try {
    text = readFileSync(name, 'utf8')
  } catch (error) {
    throw new UsageProblem(`Seed ${name} cannot be read: ${reason(error)}. Pass --seed with a JSON file.`)
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageProblem(`Seed ${name} is not JSON: ${reason(error)}.`)
  }
}

export const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** Some messages of the machine go on for lines. */
const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')

export const unusable = (given: SeedInput | string, why: string): UsageProblem =>
  new UsageProblem(`${typeof given === 'string' ? `Seed ${given}` : 'The seed'} cannot be planted: ${why}`)
