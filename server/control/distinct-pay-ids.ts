import { randomUUID } from 'node:crypto'
import { changeBehaviors } from '../operations/accounts/change-behaviors.ts'
import * as behaviors from '../store/repositories/behaviors.ts'
import type { Store, UnitOfWork } from '../store/store.ts'

/** Longer than a case takes. Whoever has not said by then that it is done was killed. */
const HELD_MS = 300_000

interface Held {
  readonly before: string | null
  /** When each check that is in the case began it. */
  readonly since: Map<string, number>
}

/** Lets checks of one account share the behavior `payId: distinct`: the last to be done gives back what was before. */
export function createDistinctPayIds(store: Store) {
  const all = new Map<string, Held>()

  async function holdFor(work: UnitOfWork, account: string): Promise<string> {
    const chosen = await choiceOf(work, account)
    const held = all.get(account)
    const before = chosen === 'distinct' && held !== undefined ? held.before : chosen
    const since = held?.before === before ? alive(held.since) : new Map<string, number>()
    if (chosen !== 'distinct') await changeBehaviors(work, account, { payId: 'distinct' })
    const id = randomUUID()
    all.set(account, { before, since: since.set(id, performance.now()) })
    return id
  }

  async function release(work: UnitOfWork, account: string, id: string): Promise<void> {
    const held = all.get(account)
    if (!held?.since.delete(id) || alive(held.since).size > 0) return
    all.delete(account)
    if (held.before === 'distinct' || (await choiceOf(work, account)) !== 'distinct') return
    await changeBehaviors(work, account, { payId: held.before })
  }

  return {
    hold: (account: string): Promise<string> => store.transact((work) => holdFor(work, account)),
    release: (account: string, id: string): Promise<void> =>
      store.transact((work) => release(work, account, id)),
  }
}

const alive = (since: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...since].filter(([, began]) => performance.now() - began < HELD_MS))

async function choiceOf({ db }: UnitOfWork, account: string): Promise<string | null> {
  const own = (await behaviors.layers(db, account)).at(-1)!.choices
  return own.payId ?? null
}
