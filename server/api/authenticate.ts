import type { Account } from '../domain/accounts/account.ts'
import type { ActiveBehaviors } from '../domain/behaviors/behavior.ts'
import { ApiError, messages } from '../domain/api/api-error.ts'
import * as accounts from '../store/repositories/accounts.ts'
import type { UnitOfWork } from '../store/store.ts'
import type { MessagesByErrorKind } from '../domain/api/api-error.ts'

/** Finds the account of a `token` header, in either environment. */
export const findAccountByToken = (
  { db }: Pick<UnitOfWork, 'db'>,
  token: string,
): Promise<Account | undefined> =>
  token === '' ? Promise.resolve(undefined) : accounts.withApiKey(db, token)

/** Whether the reference shows separate messages for a missing and an unknown token. */
const hasOwnMessages = (operation: string): boolean => operation === 'createSplitLink'

export const tokenErrors = (operation: string): MessagesByErrorKind => ({
  unauthenticated: hasOwnMessages(operation)
    ? [messages.tokenMissing, messages.tokenUnknown, messages.tokenRejected]
    : [messages.tokenRejected],
})

/** Returns the account if it is a development account. Otherwise it throws the error of this operation. */
export function authenticate(
  account: Account | undefined,
  token: string,
  operation: string,
  behaviors: ActiveBehaviors,
): Account {
  if (account?.environment === 'development') return account

  if (token === '') {
    behaviors.markAssumptions('missingToken')
    throw new ApiError(
      'unauthenticated',
      hasOwnMessages(operation) ? messages.tokenMissing : messages.tokenRejected,
    )
  }
  behaviors.markAssumptions('unknownToken')
  const isUnknown = hasOwnMessages(operation) && !account
  throw new ApiError('unauthenticated', isUnknown ? messages.tokenUnknown : messages.tokenRejected)
}
