import { all, one, firstCompleteSeq } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').Known} Known */

/**
 * @param {Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
export function checkDeliveries(db, { keep, isSettled }, wrong) {
  const done = isSettled ? '' : "and state in ('delivered', 'failed')"
  const idle = one(db, `select count(*) from delivery where attempts = 0 ${done}`)
  if (idle > 0) wrong.push(`${idle} deliveries are done without an attempt.`)
  const open = one(db, "select count(*) from delivery where state in ('pending', 'underway', 'held')")
  if (isSettled && open > 0) wrong.push(`${open} deliveries are still open in the end.`)
  const odd = all(
    db,
    `select id, attempts, (select count(*) from event where deliveryId = delivery.id and type = 'delivery.attempted') told
     from delivery where told <> attempts
     and exists (select 1 from event where deliveryId = delivery.id and type = 'delivery.queued' and seq >= ?)`,
    firstCompleteSeq(db, keep),
  )
  for (const { id, attempts, told } of odd) {
    wrong.push(`Delivery ${id} counts ${attempts} attempts, and the journal has ${told}.`)
  }
}
