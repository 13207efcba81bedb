import type { Account } from '../domain/account.ts'
import type { InForce } from '../domain/behavior.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import * as accounts from '../store/accounts.ts'
import type { Work } from '../store/store.ts'

/** Finds the account a `token` header names, whatever its environment. */
export const accountOf = ({ db }: Pick<Work, 'db'>, token: string): Promise<Account | undefined> =>
  token === '' ? Promise.resolve(undefined) : accounts.withApiKey(db, token)

/** Lets a development account in, and refuses everyone else in the words that the endpoint uses. */
export function authenticate(
  account: Account | undefined,
  token: string,
  operation: string,
  inForce: InForce,
): Account {
  if (account?.environment === 'development') return account

  const isShown = operation === 'createSplitLink'
  if (token === '') {
    inForce.assume('missingToken')
    throw new Refusal('unauthenticated', isShown ? wording.tokenMissing : wording.tokenRejected)
  }
  inForce.assume('unknownToken')
  throw new Refusal('unauthenticated', isShown && !account ? wording.tokenUnknown : wording.tokenRejected)
}
