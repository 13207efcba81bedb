import { randomUUID } from 'node:crypto'
import { changeBehaviors } from '../../service/operations/settings/change-behaviors.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'

/** No case takes this long. A lease that is older belongs to a check that was killed. */
const LEASE_MS = 300_000

interface Leases {
  /** The account's own value of the behavior, before the first lease. */
  readonly previous: string | null
  /** The time of each lease, by its id. */
  readonly acquiredAt: ReadonlyMap<string, number>
}

/**
 * Sets the behavior `payId: distinct` for an account while receiver checks need it. Checks of the same account share the
 * setting, and the last check restores the previous value.
 */
export function createDistinctPayIds(store: Store) {
  const leases = new Map<string, Leases>()

  async function acquireLease(work: UnitOfWork, account: string): Promise<string> {
    const chosen = await chosenPayId(work, account)
    const current = leases.get(account)
    const previous = chosen === 'distinct' && current !== undefined ? current.previous : chosen
    // If the behavior was changed by someone else in the meantime, all earlier leases end.
    const active = current?.previous === previous ? withoutExpired(current.acquiredAt) : []
    if (chosen !== 'distinct') await changeBehaviors(work, account, { payId: 'distinct' })
    const id = randomUUID()
    leases.set(account, { previous, acquiredAt: new Map([...active, [id, performance.now()]]) })
    return id
  }

  async function releaseLease(work: UnitOfWork, account: string, id: string): Promise<void> {
    const current = leases.get(account)
    if (!current?.acquiredAt.has(id)) return
    const others = withoutExpired(current.acquiredAt).filter(([other]) => other !== id)
    if (others.length > 0) {
      leases.set(account, { ...current, acquiredAt: new Map(others) })
      return
    }
    leases.delete(account)
    const { previous } = current
    if (previous === 'distinct' || (await chosenPayId(work, account)) !== 'distinct') return
    await changeBehaviors(work, account, { payId: previous })
  }

  return {
    /** Returns the id of the lease. */
    acquire: (account: string): Promise<string> => store.transact((work) => acquireLease(work, account)),
    release: (account: string, id: string): Promise<void> =>
      store.transact((work) => releaseLease(work, account, id)),
  }
}

const withoutExpired = (acquiredAt: ReadonlyMap<string, number>): [string, number][] =>
  [...acquiredAt].filter(([, at]) => performance.now() - at < LEASE_MS)

async function chosenPayId({ db }: UnitOfWork, account: string): Promise<string | null> {
  const own = (await behaviors.layers(db, account)).at(-1)!.choices
  return own.payId ?? null
}
