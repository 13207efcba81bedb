import { createMaskInTurns, type Mask } from '../../../domain/secrets/mask.ts'
import { createTurns } from '../../../platform/system/turns.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Masks the keys of all accounts, including former keys. Does not mask names and recipient tokens. */
export async function maskOfAccounts(
  { db }: Pick<UnitOfWork, 'db'>,
  moreKeys: readonly string[] = [],
): Promise<Mask> {
  const keys = await accounts.keys(db)
  const names = (await accounts.list(db)).flatMap(({ name, recipientToken }) => [
    name.replaceAll(' ', ''),
    recipientToken,
  ])
  return createMaskInTurns([...keys, ...moreKeys], names, createTurns())
}
