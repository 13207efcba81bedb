/** @typedef {import('better-sqlite3').Database} Database */

/**
 * @param {Database} db
 * @param {string} query
 * @param {...unknown} parameters
 * @returns {any[]}
 */
export const all = (db, query, ...parameters) => db.prepare(query).all(...parameters)

/**
 * @param {Database} db
 * @param {string} query
 * @param {...unknown} parameters
 * @returns {any}
 */
export const one = (db, query, ...parameters) =>
  db
    .prepare(query)
    .pluck()
    .get(...parameters)

/**
 * Below the newest `keep` events retention may have taken some.
 *
 * @param {Database} db
 * @param {number} keep
 * @returns {number}
 */
export const firstCompleteSeq = (db, keep) =>
  one(db, 'select seq from event order by seq desc limit 1 offset ?', keep - 1) ?? 1
