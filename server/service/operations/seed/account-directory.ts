import { didYouMean } from '../../../domain/text/closest-match.ts'
import type { Account } from '../../../domain/accounts/account.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { apiError } from '../../../domain/api/api-error.ts'

/** Finds the accounts that a seed refers to: first among the accounts of the seed, then among existing ones. */
export class AccountDirectory {
  readonly #accounts: readonly Account[]
  readonly #groups: readonly ReturnType<typeof indexAccounts>[]

  constructor(own: readonly Account[], others: readonly Account[]) {
    this.#accounts = [...own, ...others]
    this.#groups = [indexAccounts(own), indexAccounts(others)]
  }

  /** Finds the account with this id, or otherwise with this name. */
  byIdOrName(path: string, name: string): Account {
    for (const { byId, byName } of this.#groups) {
      const namesakes = byName.get(name) ?? []
      const account = byId.get(name) ?? namesakes[0]
      if (namesakes.length > 1 && !byId.has(name)) {
        throw apiError('accountAmbiguous', namesakes.length, name).at(path)
      }
      if (account) return account
    }
    const names = this.#accounts.map((account) => account.name)
    throw apiError('accountUnknown', truncate(name, 100), didYouMean(name, names)).at(path)
  }

  byRecipientToken(path: string, token: string): Account {
    for (const { byToken } of this.#groups) {
      const account = byToken.get(token)
      if (account) return account
    }
    const tokens = this.#accounts.map(({ recipientToken }) => recipientToken)
    throw apiError('recipientTokenUnknown', truncate(token, 100), didYouMean(token, tokens)).at(path)
  }
}

function indexAccounts(accounts: readonly Account[]) {
  const byName = new Map<string, Account[]>()
  for (const account of accounts) byName.set(account.name, [...(byName.get(account.name) ?? []), account])
  return {
    byName,
    byId: new Map(accounts.map((account) => [account.id, account])),
    byToken: new Map(accounts.map((account) => [account.recipientToken, account])),
  }
}
