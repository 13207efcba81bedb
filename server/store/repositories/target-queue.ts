import type { Kysely } from 'kysely'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Database } from '../schema.ts'
import { stateOf } from '../writer-state.ts'

/** Longer queues are read from the database. */
const MAX_LENGTH = 100

/**
 * The waiting and current deliveries of a target, if the only writer knows all of them: it read them when there were few,
 * and has followed every change since. Sending a delivery then needs no reads. `undefined` if only the database knows them.
 */
export const queueOf = (db: Kysely<Database>, target: string): readonly Delivery[] | undefined =>
  stateOf(db)?.get('delivery', keyOf(target))

const keyOf = (target: string): string => `queue of ${target}`

/** Begins a queue with all waiting and current deliveries of the target. */
export const beginQueue = (db: Kysely<Database>, target: string, all: readonly Delivery[]): void =>
  stateOf(db)?.set('delivery', keyOf(target), all)

/** Forgets a queue, so that it is read from the database again. */
export const forgetQueue = (db: Kysely<Database>, target: string): void =>
  stateOf(db)?.set('delivery', keyOf(target), undefined)

/**
 * Applies a change of the database to the queue of a target: adds a delivery, replaces it, or removes it when it no longer waits.
 */
export function updateQueue(db: Kysely<Database>, delivery: Delivery): void {
  const queue = queueOf(db, delivery.target)
  if (queue === undefined) return
  const others = queue.filter(({ id }) => id !== delivery.id)
  const isInQueue = delivery.state === 'pending' || delivery.state === 'underway'
  const next = isInQueue ? [...others, delivery] : others
  stateOf(db)?.set('delivery', keyOf(delivery.target), next.length > MAX_LENGTH ? undefined : next)
}
