import type { z } from 'zod'
import { explainIssues, placeOf } from './explain-issues.ts'
import { MAX_ERRORS } from '../schemas/plain-issue.ts'
import { MOST_RECIPIENTS } from './seed-link-schema.ts'
import { MOST, SeedFile, tooMany } from './seed-schema.ts'

type File = z.output<typeof SeedFile>

export interface Mistake {
  readonly path: string
  readonly message: string
}

interface Mistakes {
  /** The first of them, with their places. */
  readonly first: readonly Mistake[]
  readonly isAll: boolean
}

/** Reads a seed, or says what is wrong with it. */
export function readSeedFile(value: unknown): { file: File } | { mistakes: Mistakes } {
  const seed = shortened(value)
  const early = earlyIssues(seed)
  const parsed = early.length === 0 ? SeedFile.safeParse(seed) : undefined
  if (parsed?.success) return { file: parsed.data }
  const explained = explainIssues(SeedFile, parsed?.error.issues ?? early, seed)
  const first = explained.slice(0, MAX_ERRORS).map(({ path, message }) => ({ path: placeOf(path), message }))
  return { mistakes: { first, isAll: explained.length <= MAX_ERRORS } }
}

const LISTS = ['accounts', 'links', 'invoices'] as const

/** Recipients of all the links together. */
const MOST_SHARES = 100_000

/** A list is read to its end before it is counted: what is longer than any may be ends one entry beyond that. */
function shortened(seed: unknown): unknown {
  if (!isRecord(seed)) return seed
  const lists = LISTS.filter((list) => Array.isArray(seed[list]))
  return {
    ...seed,
    ...Object.fromEntries(
      lists.map((list) => [list, (seed[list] as unknown[]).slice(0, MOST[list] + 1).map(shortenedEntry)]),
    ),
  }
}

const shortenedEntry = (entry: unknown): unknown =>
  isRecord(entry) && Object.values(entry).some(isLong)
    ? Object.fromEntries(
        Object.entries(entry).map(([key, value]) => [
          key,
          isLong(value) ? value.slice(0, MOST_RECIPIENTS + 1) : value,
        ]),
      )
    : entry

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > MOST_RECIPIENTS

/** What is wrong with a seed of so many mistakes that nobody wants them all, one entry after another. */
function earlyIssues(seed: unknown): z.core.$ZodIssue[] {
  if (!isRecord(seed)) return []
  const issues: z.core.$ZodIssue[] = []
  let shares = 0
  for (const list of LISTS) {
    const entries: unknown = seed[list]
    if (!Array.isArray(entries)) continue
    if (entries.length > MOST[list]) return [issueOf(list, tooMany(list).error)]
    const { element } = SeedFile.shape[list].unwrap()
    for (const [index, entry] of entries.entries()) {
      if (isRecord(entry) && Array.isArray(entry.recipients)) shares += entry.recipients.length
      if (shares > MOST_SHARES) {
        return [issueOf(list, `should have at most ${MOST_SHARES} recipients together`)]
      }
      const found = element.safeParse(entry).error?.issues ?? []
      issues.push(...found.map((issue) => ({ ...issue, path: [list, index, ...issue.path] })))
      if (issues.length > MAX_ERRORS) return issues
    }
  }
  return []
}

const issueOf = (list: string, message: string): z.core.$ZodIssue => ({
  code: 'custom',
  path: [list],
  message,
  input: undefined,
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
