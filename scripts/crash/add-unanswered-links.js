import { addLink } from './expected-state.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./expected-state.js').Ledger} Ledger */

/**
 * Links whose answer never came: there may be as many as were asked for.
 *
 * @param {Database} db
 * @param {Ledger} ledger
 */
export function addUnansweredLinks(db, ledger) {
  const find = db.prepare('select id, payId from link where note = ?')
  for (const payment of ledger.payments) {
    if (payment.created.length === payment.asked) continue
    const known = new Set(payment.created.map(({ id }) => id))
    for (const { id, payId } of /** @type {any[]} */ (find.all(payment.order))) {
      if (!known.has(id)) addLink(ledger, payment, { id, payId, text: '' })
    }
  }
}
