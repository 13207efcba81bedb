import type { Account } from '../../domain/accounts/account.ts'
import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import { apiError, errorDetails, type ErrorDetails } from '../../domain/api/api-error.ts'

/** Whether the reference shows messages of this operation's own for a missing and an unknown token. */
const hasSpecialMessages = (operation: string): boolean => operation === 'createSplitLink'

export const tokenErrors = (operation: string): readonly ErrorDetails[] =>
  hasSpecialMessages(operation)
    ? [errorDetails('tokenMissing'), errorDetails('tokenUnknown'), errorDetails('tokenRejected')]
    : [errorDetails('tokenRejected')]

/** Returns the account of the key if it is a development account. Otherwise throws the error of this operation. */
export function authenticate(
  account: Account | undefined,
  token: string,
  operation: string,
  behaviors: ActiveBehaviors,
): Account {
  if (account?.environment === 'development') return account

  const choice = behaviors.dependOn(token === '' ? 'missingToken' : 'unknownToken')
  if (choice === 'common' || !hasSpecialMessages(operation) || account) throw apiError('tokenRejected')
  throw apiError(token === '' ? 'tokenMissing' : 'tokenUnknown')
}
