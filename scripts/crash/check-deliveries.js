import { all, firstCompleteSeq, one } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').CheckContext} CheckContext */

/**
 * @param {Database} db
 * @param {CheckContext} context
 * @param {string[]} problems
 */
export function checkDeliveries(db, { keep, isSettled }, problems) {
  const done = isSettled ? '' : "and state in ('delivered', 'failed')"
  const withoutAttempt = one(db, `select count(*) from delivery where attempts = 0 ${done}`)
  if (withoutAttempt > 0) problems.push(`${withoutAttempt} deliveries are done without an attempt.`)
  const open = one(db, "select count(*) from delivery where state in ('pending', 'underway', 'held')")
  if (isSettled && open > 0) problems.push(`${open} deliveries are still open at the end.`)
  const different = all(
    db,
    `select id, attempts, (select count(*) from event where deliveryId = delivery.id and type = 'delivery.attempted') events
     from delivery where events <> attempts
     and exists (select 1 from event where deliveryId = delivery.id and type = 'delivery.queued' and seq >= ?)`,
    firstCompleteSeq(db, keep),
  )
  for (const { id, attempts, events } of different) {
    problems.push(`Delivery ${id} has ${attempts} attempts, but the journal has ${events}.`)
  }
}
