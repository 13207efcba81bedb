import SQLite from 'better-sqlite3'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { one } from './queries.js'

/** @typedef {import('./expected-state.js').Ledger} Ledger */

/**
 * What stands beside the links: snapshots, pins and behaviors.
 *
 * @param {SQLite.Database} db
 * @param {string} file
 * @param {Ledger} ledger
 * @param {string[]} wrong
 */
export function checkOtherState(db, file, { answered }, wrong) {
  const folder = `${file}.snapshots`
  const files = existsSync(folder) ? readdirSync(folder) : []
  for (const [name, state] of answered.snapshots) {
    const isThere = files.includes(`${name}.db`)
    if (state === 'there' && !isThere) wrong.push(`Snapshot ${name} was answered and is not there.`)
    if (state === 'gone' && isThere) wrong.push(`Snapshot ${name} was deleted and is there.`)
    answered.snapshots.set(name, isThere ? 'there' : 'gone')
  }
  for (const name of files.filter((known) => !known.endsWith('.db'))) {
    wrong.push(`Half a snapshot is left: ${name}.`)
  }
  for (const name of files.filter((known) => known.endsWith('.db'))) {
    const snapshot = new SQLite(join(folder, name), { readonly: true })
    const sound = snapshot.pragma('quick_check(1)', { simple: true })
    snapshot.close()
    if (sound !== 'ok') wrong.push(`Snapshot ${name} is damaged: ${String(sound)}.`)
  }
  const pinned = db.prepare('select 1 from pin join event using (seq) where seq = ?').pluck()
  for (const seq of answered.pins) {
    if (!pinned.get(seq)) wrong.push(`Event ${seq} was pinned and is not there, or not pinned.`)
  }
  const statusText =
    one(db, "select value from behavior where name = 'statusText' and scope = ''") ?? 'documented'
  if (!answered.statusText.has(statusText)) {
    wrong.push(
      `statusText is ${statusText}, and was answered to be ${[...answered.statusText].join(' or ')}.`,
    )
  }
  answered.statusText = new Set([statusText])
}
