import { z } from 'zod'
import { excerpt } from '../../domain/text/truncate.ts'
import type { Explained } from './explain-issues.ts'
import { hint } from '../../domain/text/closest-match.ts'

const Named = z.looseObject({ name: z.string() })
const OfAccount = z.looseObject({ account: z.string() })
const Shared = z.looseObject({ recipients: z.array(z.unknown()) })

/** The accounts that a seed names and does not bring, whatever else is wrong with it. */
export function strayReferences(seed: unknown): Explained[] {
  const names = entriesAt(seed, 'accounts', Named).map(({ entry }) => entry.name)
  const references = (['links', 'invoices'] as const).flatMap((list) => [
    ...referencesAt(seed, list, []),
    ...entriesAt(seed, list, Shared).flatMap(({ entry, index }) =>
      referencesAt(entry, 'recipients', [list, index]),
    ),
  ])
  const known = new Set(names)
  // An id may be one that follows from a name.
  const isStray = ({ account }: { account: string }): boolean =>
    account !== '' && !known.has(account) && !z.guid().safeParse(account).success
  return references.filter(isStray).map(({ path, account }, index) => ({
    path,
    message: `there is no account ${excerpt(account, 100)}${index < MOST_HINTS ? hint(account, names) : ''}`,
  }))
}

/** Each is compared with every name. */
const MOST_HINTS = 10

const referencesAt = (holder: unknown, list: string, path: readonly PropertyKey[]) =>
  entriesAt(holder, list, OfAccount).map(({ entry, index }) => ({
    path: [...path, list, index, 'account'],
    account: entry.account,
  }))

/** The entries of a list that are as a schema has them, if there is such a list. */
function entriesAt<Entry>(holder: unknown, list: string, schema: z.ZodType<Entry>) {
  const found = z.looseObject({ [list]: z.array(z.unknown()) }).safeParse(holder)
  const entries = (found.success ? found.data[list] : []) as readonly unknown[]
  return entries.flatMap((given, index) => {
    const entry = schema.safeParse(given)
    return entry.success ? [{ entry: entry.data, index }] : []
  })
}
