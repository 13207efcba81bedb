import type { Account } from '../domain/accounts/account.ts'
import type { InForce } from '../domain/behaviors/behavior.ts'
import { Refusal, wording } from '../domain/api/api-error.ts'
import * as accounts from '../store/repositories/accounts.ts'
import type { Work } from '../store/store.ts'
import type { Refusals } from '../domain/api/api-error.ts'

/** Finds the account a `token` header names, whatever its environment. */
export const accountOf = ({ db }: Pick<Work, 'db'>, token: string): Promise<Account | undefined> =>
  token === '' ? Promise.resolve(undefined) : accounts.withApiKey(db, token)

/** Has words of its own for a token that is missing or unknown. */
const isShown = (operation: string): boolean => operation === 'createSplitLink'

export const tokenRefusals = (operation: string): Refusals => ({
  unauthenticated: isShown(operation)
    ? [wording.tokenMissing, wording.tokenUnknown, wording.tokenRejected]
    : [wording.tokenRejected],
})

/** Lets a development account in, and refuses everyone else in the words that the endpoint uses. */
export function authenticate(
  account: Account | undefined,
  token: string,
  operation: string,
  inForce: InForce,
): Account {
  if (account?.environment === 'development') return account

  if (token === '') {
    inForce.assume('missingToken')
    throw new Refusal('unauthenticated', isShown(operation) ? wording.tokenMissing : wording.tokenRejected)
  }
  inForce.assume('unknownToken')
  const isNobodys = isShown(operation) && !account
  throw new Refusal('unauthenticated', isNobodys ? wording.tokenUnknown : wording.tokenRejected)
}
