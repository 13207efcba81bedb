import { isRecord } from '../../domain/text/is-object.ts'
import type { z } from 'zod'
import { explainIssues, formatPath } from './explain-issues.ts'
import { MAX_ERRORS, plainMessages } from '../schemas/plain-issue.ts'
import { MAX_RECIPIENTS } from '../../domain/links/limits.ts'
import { MAX_SEED_ENTRIES, SeedFileSchema, tooManyError } from './seed-schema.ts'

type SeedFileContent = z.output<typeof SeedFileSchema>

export interface SeedError {
  readonly path: string
  readonly message: string
}

interface SeedErrors {
  /** The first mistakes, and where they are in the seed. */
  readonly first: readonly SeedError[]
  readonly isAll: boolean
}

/** Parses a seed. Returns the seed or its mistakes. */
export function parseSeedFile(value: unknown): { file: SeedFileContent } | { mistakes: SeedErrors } {
  const seed = truncateLists(value)
  const earlyIssues = findEarlyIssues(seed)
  const parsed = earlyIssues.length === 0 ? SeedFileSchema.safeParse(seed, plainMessages) : undefined
  if (parsed?.success) return { file: parsed.data }
  const explained = explainIssues(SeedFileSchema, parsed?.error.issues ?? earlyIssues, seed)
  const first = explained
    .slice(0, MAX_ERRORS)
    .map(({ path, message }) => ({ path: formatPath(path), message }))
  return { mistakes: { first, isAll: explained.length <= MAX_ERRORS } }
}

const LISTS = ['accounts', 'links', 'invoices'] as const

/** The maximum number of recipients of all links together. */
const MAX_TOTAL_RECIPIENTS = 100_000

/**
 * Truncates each list to one entry more than its limit. Otherwise, zod would validate all entries of a list before it reports
 * that the list is too long.
 */
function truncateLists(seed: unknown): unknown {
  if (!isRecord(seed)) return seed
  const lists = LISTS.filter((list) => Array.isArray(seed[list]))
  return {
    ...seed,
    ...Object.fromEntries(
      lists.map((list) => [
        list,
        (seed[list] as unknown[]).slice(0, MAX_SEED_ENTRIES[list] + 1).map(truncateEntry),
      ]),
    ),
  }
}

const truncateEntry = (entry: unknown): unknown =>
  isRecord(entry) && Object.values(entry).some(isOverlongList)
    ? Object.fromEntries(
        Object.entries(entry).map(([key, value]) => [
          key,
          isOverlongList(value) ? value.slice(0, MAX_RECIPIENTS + 1) : value,
        ]),
      )
    : entry

const isOverlongList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > MAX_RECIPIENTS

/**
 * Validates one entry after another until there are too many entries or mistakes. Returns the mistakes found so far, or none if
 * the whole seed may be validated.
 */
function findEarlyIssues(seed: unknown): z.core.$ZodIssue[] {
  if (!isRecord(seed)) return []
  const issues: z.core.$ZodIssue[] = []
  let shares = 0
  for (const list of LISTS) {
    const entries: unknown = seed[list]
    if (!Array.isArray(entries)) continue
    if (entries.length > MAX_SEED_ENTRIES[list]) return [createIssue(list, tooManyError(list).error)]
    const { element } = SeedFileSchema.shape[list].unwrap()
    for (const [index, entry] of entries.entries()) {
      if (isRecord(entry) && Array.isArray(entry.recipients)) shares += entry.recipients.length
      if (shares > MAX_TOTAL_RECIPIENTS) {
        return [createIssue(list, `should have at most ${MAX_TOTAL_RECIPIENTS} recipients together`)]
      }
      const entryIssues = element.safeParse(entry, plainMessages).error?.issues ?? []
      issues.push(...entryIssues.map((issue) => ({ ...issue, path: [list, index, ...issue.path] })))
      if (issues.length > MAX_ERRORS) return issues
    }
  }
  return []
}

const createIssue = (list: string, message: string): z.core.$ZodIssue => ({
  code: 'custom',
  path: [list],
  message,
  input: undefined,
})
