import { readFileSync } from 'node:fs'
import { placeOf } from './control/explain-issues.ts'
import { readSeedFile, type Mistake } from './control/read-seed.ts'
import { seedOf } from './control/seed-schema.ts'
import { strayReferences } from './control/stray-references.ts'
import { Refusal } from './domain/refusals.ts'
import type { SeedInput } from './domain/seed-input.ts'
import type { Seed } from './domain/seed.ts'
import { beginIfNew, type Beginning } from './operations/reset.ts'
import { UsageProblem } from './usage-problem.ts'
import { openDatabase } from './store/database.ts'
import { Store } from './store/store.ts'

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

/** Plants a seed where nobody sees it, so that one that cannot be planted is refused before anything is touched. */
export async function trySeed(given: SeedInput | string, beginning: Beginning): Promise<void> {
  const database = await openDatabase(':memory:')
  try {
    const store = new Store(
      database.db,
      () => new Date(),
      () => undefined,
    )
    await store.transact((work) => beginIfNew(work, beginning))
  } catch (error) {
    throw error instanceof Refusal ? unusable(given, sentence(error.message)) : error
  } finally {
    await database.close()
  }
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

const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** Some messages of the machine go on for lines. */
const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')

const unusable = (given: SeedInput | string, why: string): UsageProblem =>
  new UsageProblem(`${typeof given === 'string' ? `Seed ${given}` : 'The seed'} cannot be planted: ${why}`)
