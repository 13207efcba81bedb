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
export function queueOf(db: Kysely<Database>, target: string): readonly Delivery[] | undefined {
  const state = stateOf(db)
  if (state?.has('delivery', keyOf(target))) return state.get('delivery', keyOf(target))
  return state?.get<boolean>('delivery', ARE_OTHERS_EMPTY) ? [] : undefined
}

/** The key of a value: whether each target that has no value of its own has an empty queue. */
const ARE_OTHERS_EMPTY = 'others'

const keyOf = (target: string): string => `queue of ${target}`

/** Begins a queue with all waiting and current deliveries of the target. */
export const beginQueue = (db: Kysely<Database>, target: string, all: readonly Delivery[]): void =>
  stateOf(db)?.set('delivery', keyOf(target), all)

/** Whether `beginAll` was not called since the state was empty. */
export const mayBeginAll = (db: Kysely<Database>): boolean => {
  const state = stateOf(db)
  return state !== undefined && state.get('delivery', ARE_OTHERS_EMPTY) === undefined
}

/**
 * Begins the queues of all targets with their waiting and current deliveries. The queues of other targets are then empty, and need
 * not be read. An app may choose a new target for each payment. `all` is `undefined` if the deliveries are too many.
 */
export function beginAll(db: Kysely<Database>, all: readonly Delivery[] | undefined): void {
  // First, because the state may forget everything while the queues are added.
  stateOf(db)?.set('delivery', ARE_OTHERS_EMPTY, all !== undefined)
  for (const target of new Set(all?.map((delivery) => delivery.target)))
    beginQueue(
      db,
      target,
      all!.filter((delivery) => delivery.target === target),
    )
}

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
