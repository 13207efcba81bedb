import type { Account } from '../../../domain/accounts/account.ts'
import { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import * as behaviors from '../../../store/repositories/behaviors.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** The account that makes a request, and its behaviors. */
export interface Caller {
  readonly account: Account
  readonly behaviors: ActiveBehaviors
}

/** The active behaviors of an account, or of the sandbox. */
export const activeBehaviors = async (
  { db, confirmedPoints }: Pick<UnitOfWork, 'db' | 'confirmedPoints'>,
  accountId?: string,
): Promise<ActiveBehaviors> => new ActiveBehaviors(await behaviors.settings(db, accountId), confirmedPoints)
