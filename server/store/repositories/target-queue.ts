import type { Kysely } from 'kysely'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Database } from '../schema.ts'
import { stateOf } from '../writer-state.ts'

/** A longer queue is read from the database. */
const MAX_LENGTH = 100

/**
 * The deliveries of a target that are pending or underway, if the only writer knows all of them: from the time when the target has
 * none. A delivery then needs no reads. `undefined`: only the database knows.
 */
export const queueOf = (db: Kysely<Database>, target: string): readonly Delivery[] | undefined =>
  stateOf(db)?.get('delivery', keyOf(target))

const keyOf = (target: string): string => `queue of ${target}`

/** Begins with an empty queue, because a target has no delivery that is pending or underway. */
export const beginQueue = (db: Kysely<Database>, target: string): void =>
  stateOf(db)?.set('delivery', keyOf(target), [])

/** Leaves a queue to the database. */
export const forgetQueue = (db: Kysely<Database>, target: string): void =>
  stateOf(db)?.set('delivery', keyOf(target), undefined)

/** Changes the queue of a target like the database: adds a delivery, replaces it, or removes it if it waits no longer. */
export function updateQueue(db: Kysely<Database>, delivery: Delivery): void {
  const queue = queueOf(db, delivery.target)
  if (queue === undefined) return
  const others = queue.filter(({ id }) => id !== delivery.id)
  const isInQueue = delivery.state === 'pending' || delivery.state === 'underway'
  const next = isInQueue ? [...others, delivery] : others
  stateOf(db)?.set('delivery', keyOf(delivery.target), next.length > MAX_LENGTH ? undefined : next)
}
