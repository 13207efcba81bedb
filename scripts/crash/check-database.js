import SQLite from 'better-sqlite3'
import { addUnansweredLinks } from './add-unanswered-links.js'
import { checkDeliveries } from './check-deliveries.js'
import { checkJournal } from './check-journal.js'
import { checkLinks } from './check-links.js'
import { checkOtherState } from './check-other-state.js'
import { checkReceivers } from './check-receivers.js'
import { one } from './queries.js'

/**
 * @typedef {object} CheckContext
 * @property {import('./expected-state.js').ExpectedState} expected
 * @property {{ countsAt: (path: string) => Map<number, number>, origin: string }} receivers
 * @property {string} url of the sandbox
 * @property {number} keep how many events the journal keeps
 * @property {boolean} [refusesWebhooks] whether the sandbox can refuse webhooks for its own tunnels, and send them again later
 * @property {boolean} isSettled whether every webhook has been delivered or has failed
 * @property {import('../random.js').Random} random
 */

/**
 * Compares a database with what was requested and answered. The sandbox may be using the database.
 *
 * @param {string} file
 * @param {CheckContext} context
 * @returns {string[]} the problems
 */
export function checkDatabase(file, context) {
  const { expected } = context
  const db = new SQLite(file, { readonly: true })
  /** @type {string[]} */
  const problems = []
  // A transaction, so that all queries see the same state.
  db.exec('begin')
  try {
    checkFile(db, problems)
    checkJournal(db, context, problems)
    addUnansweredLinks(db, expected)
    checkLinks(db, context, problems)
    checkDeliveries(db, context, problems)
    checkReceivers(db, context, problems)
    checkOtherState(db, file, expected, problems)
    expected.newestSeq = one(db, 'select coalesce(max(seq), 0) from event')
  } finally {
    db.close()
  }
  return problems
}

/**
 * @param {SQLite.Database} db
 * @param {string[]} problems
 */
function checkFile(db, problems) {
  const result = db.pragma('integrity_check(1)', { simple: true })
  if (result !== 'ok') problems.push(`The file is damaged: ${String(result)}.`)
  const dangling = /** @type {unknown[]} */ (db.pragma('foreign_key_check'))
  if (dangling.length > 0) problems.push(`${dangling.length} rows refer to missing rows.`)
}
