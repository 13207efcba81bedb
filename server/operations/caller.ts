import type { Account } from '../domain/account.ts'
import { InForce } from '../domain/behavior.ts'
import * as behaviors from '../store/behaviors.ts'
import type { Work } from '../store/store.ts'

/** The account a request runs as, and what is in force for it. */
export interface Caller {
  readonly account: Account
  readonly inForce: InForce
}

/** What is in force for an account. */
export const inForceFor = async ({ db }: Pick<Work, 'db'>, accountId?: string): Promise<InForce> =>
  new InForce(await behaviors.settings(db, accountId))
