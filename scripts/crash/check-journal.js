import { all, firstCompleteSeq } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').CheckContext} CheckContext */
/** @typedef {import('./expected-state.js').ExpectedState} ExpectedState */

/**
 * @param {Database} db
 * @param {CheckContext} context
 * @param {string[]} problems
 */
export function checkJournal(db, { expected, keep }, problems) {
  const first = firstCompleteSeq(db, keep)
  const { newest, count } = all(
    db,
    'select max(seq) newest, count(*) count from event where seq >= ?',
    first,
  )[0]
  const missing = newest - first + 1 - count
  if (missing > 0) problems.push(`The journal misses ${missing} events between ${first} and ${newest}.`)
  checkStream(db, expected, first, problems)
}

/**
 * Compares the stream with the journal: both must contain the same events, from where the stream started.
 *
 * @param {Database} db
 * @param {ExpectedState} expected
 * @param {number} first
 * @param {string[]} problems
 */
function checkStream(db, { stream }, first, problems) {
  const find = db.prepare('select type from event where seq = ?').pluck()
  for (const [seq, type] of stream.types) {
    if (seq < first) continue
    const found = find.get(seq)
    if (found !== type)
      problems.push(
        `The stream sent event ${seq} as ${type}, but the journal has ${found ?? 'no such event'}.`,
      )
  }
  for (let seq = Math.max(first, stream.after + 1); seq < stream.last; seq++) {
    if (!stream.types.has(seq)) problems.push(`The stream skipped event ${seq} before ${stream.last}.`)
  }
}
