import SQLite from 'better-sqlite3'
import { checkOtherState } from './check-other-state.js'
import { checkDeliveries } from './check-deliveries.js'
import { checkJournal } from './check-journal.js'
import { checkLinks } from './check-links.js'
import { checkReceivers } from './check-receivers.js'
import { addUnansweredLinks } from './add-unanswered-links.js'
import { one } from './queries.js'

/** @typedef {import('./expected-state.js').Ledger} Ledger */
/** @typedef {{ heardAt: (path: string) => Map<number, number>, origin: string }} Receivers */
/** @typedef {import('../random.js').Random} Random */
/** @typedef {{ ledger: Ledger, receivers: Receivers, url: string, keep: number, isSettled: boolean, random: Random }} Known */

/**
 * Holds a database, which a sandbox may be using, against what was asked and answered. Gives what is wrong.
 *
 * @param {string} file
 * @param {Known} known
 * @returns {string[]}
 */
export function checkDatabase(file, known) {
  const db = new SQLite(file, { readonly: true })
  /** @type {string[]} */
  const wrong = []
  // One state of it, whatever is written meanwhile.
  db.exec('begin')
  try {
    checkFile(db, wrong)
    checkJournal(db, known, wrong)
    addUnansweredLinks(db, known.ledger)
    checkLinks(db, known, wrong)
    checkDeliveries(db, known, wrong)
    checkReceivers(db, known, wrong)
    checkOtherState(db, file, known.ledger, wrong)
    known.ledger.head = one(db, 'select coalesce(max(seq), 0) from event')
  } finally {
    db.close()
  }
  return wrong
}

/**
 * @param {SQLite.Database} db
 * @param {string[]} wrong
 */
function checkFile(db, wrong) {
  const sound = db.pragma('integrity_check(1)', { simple: true })
  if (sound !== 'ok') wrong.push(`The file is damaged: ${String(sound)}.`)
  const lost = /** @type {unknown[]} */ (db.pragma('foreign_key_check'))
  if (lost.length > 0) wrong.push(`${lost.length} rows refer to rows that are not there.`)
}
