import type { Account } from '../domain/accounts/account.ts'
import { ActiveBehaviors } from '../domain/behaviors/behavior.ts'
import * as behaviors from '../store/repositories/behaviors.ts'
import type { UnitOfWork } from '../store/store.ts'

/** The account a request runs as, and what is in force for it. */
export interface Caller {
  readonly account: Account
  readonly behaviors: ActiveBehaviors
}

/** What is in force for an account. */
export const activeBehaviors = async (
  { db }: Pick<UnitOfWork, 'db'>,
  accountId?: string,
): Promise<ActiveBehaviors> => new ActiveBehaviors(await behaviors.settings(db, accountId))
