import { addLink } from './expected-state.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./expected-state.js').ExpectedState} ExpectedState */

/**
 * Adds the links whose creation got no answer. Each such request may have created one.
 *
 * @param {Database} db
 * @param {ExpectedState} expected
 */
export function addUnansweredLinks(db, expected) {
  const find = db.prepare('select id, payId from link where note = ?')
  for (const payment of expected.payments) {
    if (payment.links.length === payment.requests) continue
    const known = new Set(payment.links.map(({ id }) => id))
    for (const { id, payId } of /** @type {any[]} */ (find.all(payment.order))) {
      if (!known.has(id)) addLink(expected, payment, { id, payId, answerText: '' })
    }
  }
}
