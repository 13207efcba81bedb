/** @typedef {import('better-sqlite3').Database} Database */

/**
 * Returns all rows of a query.
 *
 * @param {Database} db
 * @param {string} query
 * @param {...unknown} parameters
 * @returns {any[]}
 */
export const all = (db, query, ...parameters) => db.prepare(query).all(...parameters)

/**
 * Returns the first column of the first row.
 *
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
 * Returns the `seq` from which the journal must be complete. Retention may have removed older events.
 *
 * @param {Database} db
 * @param {number} keep how many events the journal keeps
 * @returns {number}
 */
export const firstCompleteSeq = (db, keep) =>
  one(db, 'select seq from event order by seq desc limit 1 offset ?', keep - 1) ?? 1
