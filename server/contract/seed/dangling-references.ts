import { z } from 'zod'
import { truncate } from '../../domain/text/truncate.ts'
import type { ExplainedIssue } from '../schemas/plain-issue.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'

const NamedEntry = z.looseObject({ name: z.string() })
const EntryOfAccount = z.looseObject({ account: z.string() })
const EntryWithRecipients = z.looseObject({ recipients: z.array(z.unknown()) })

/** The accounts that a seed refers to but does not contain. Also works if the seed has other mistakes. */
export function findDanglingReferences(seed: unknown): ExplainedIssue[] {
  const names = parseEntries(seed, 'accounts', NamedEntry).map(({ entry }) => entry.name)
  const references = (['links', 'invoices'] as const).flatMap((list) => [
    ...listReferences(seed, list, []),
    ...parseEntries(seed, list, EntryWithRecipients).flatMap(({ entry, index }) =>
      listReferences(entry, 'recipients', [list, index]),
    ),
  ])
  const existingNames = new Set(names)
  // A reference may be a name, or the id that is derived from the name.
  const isDangling = ({ account }: { account: string }): boolean =>
    account !== '' && !existingNames.has(account) && !z.guid().safeParse(account).success
  return references.filter(isDangling).map(({ path, account }, index) => ({
    path,
    message: `there is no account ${truncate(account, 100)}${index < MAX_HINTS ? didYouMean(account, names) : ''}`,
  }))
}

/** The number of hints is limited, because for each one a reference is compared with all names. */
const MAX_HINTS = 10

const listReferences = (parent: unknown, key: string, path: readonly PropertyKey[]) =>
  parseEntries(parent, key, EntryOfAccount).map(({ entry, index }) => ({
    path: [...path, key, index, 'account'],
    account: entry.account,
  }))

/** The entries of the list at `key` that match a schema. Empty if there is no list. */
function parseEntries<Entry>(parent: unknown, key: string, schema: z.ZodType<Entry>) {
  const result = z.looseObject({ [key]: z.array(z.unknown()) }).safeParse(parent)
  const entries = (result.success ? result.data[key] : []) as readonly unknown[]
  return entries.flatMap((value, index) => {
    const entry = schema.safeParse(value)
    return entry.success ? [{ entry: entry.data, index }] : []
  })
}
