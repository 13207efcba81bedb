import { all, firstCompleteSeq } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').Known} Known */
/** @typedef {import('./expected-state.js').Ledger} Ledger */

/**
 * @param {Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
export function checkJournal(db, { ledger, keep }, wrong) {
  const from = firstCompleteSeq(db, keep)
  const { head, events } = all(db, 'select max(seq) head, count(*) events from event where seq >= ?', from)[0]
  if (head - from + 1 !== events) {
    wrong.push(`The journal has ${head - from + 1 - events} holes between ${from} and ${head}.`)
  }
  checkStream(db, ledger, from, wrong)
}

/**
 * What the stream told is in the journal, and what is in the journal it told, from where it set out.
 *
 * @param {Database} db
 * @param {Ledger} ledger
 * @param {number} from
 * @param {string[]} wrong
 */
function checkStream(db, { stream }, from, wrong) {
  const find = db.prepare('select type from event where seq = ?').pluck()
  for (const [seq, type] of stream.told) {
    if (seq < from) continue
    const found = find.get(seq)
    if (found !== type)
      wrong.push(`The stream told event ${seq} as ${type}, and the journal has ${found ?? 'none'}.`)
  }
  const first = Math.max(from, stream.after + 1)
  for (let seq = first; seq < stream.last; seq++) {
    if (!stream.told.has(seq)) wrong.push(`The stream went on to event ${stream.last} without ${seq}.`)
  }
}
