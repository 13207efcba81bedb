import type { AccountView } from './views.ts'

/** Reads the pages of `GET /accounts` until the last one. A page without `next` is the last one. */
export async function readAllAccounts(
  readPage: (query: { readonly after: number }) => Promise<{
    readonly accounts: readonly AccountView[]
    readonly next?: number | null
  }>,
): Promise<AccountView[]> {
  const all: AccountView[] = []
  for (let after: number | null = 0; after !== null;) {
    const page = await readPage({ after })
    all.push(...page.accounts)
    after = page.next ?? null
  }
  return all
}
