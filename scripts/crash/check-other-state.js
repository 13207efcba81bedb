import SQLite from 'better-sqlite3'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { one } from './queries.js'

/** @typedef {import('./expected-state.js').ExpectedState} ExpectedState */

/**
 * Checks snapshots, pins and behaviors.
 *
 * @param {SQLite.Database} db
 * @param {string} file
 * @param {ExpectedState} expected
 * @param {string[]} problems
 */
export function checkOtherState(db, file, { other }, problems) {
  const folder = `${file}.snapshots`
  const files = existsSync(folder) ? readdirSync(folder) : []
  for (const [name, state] of other.snapshots) {
    const exists = files.includes(`${name}.db`)
    if (state === 'present' && !exists) problems.push(`Snapshot ${name} was answered, but is missing.`)
    if (state === 'deleted' && exists) problems.push(`Snapshot ${name} was deleted, but still exists.`)
    other.snapshots.set(name, exists ? 'present' : 'deleted')
  }
  for (const name of files.filter((known) => !known.endsWith('.db'))) {
    problems.push(`An incomplete snapshot is left: ${name}.`)
  }
  for (const name of files.filter((known) => known.endsWith('.db'))) {
    const damage = findDamage(join(folder, name))
    if (damage !== 'ok') problems.push(`Snapshot ${name} is damaged: ${damage}.`)
  }
  const pinned = db.prepare('select 1 from pin join event using (seq) where seq = ?').pluck()
  for (const seq of other.pins) {
    if (!pinned.get(seq)) problems.push(`Event ${seq} was pinned, but is missing or not pinned.`)
  }
  const statusText =
    one(db, "select value from behavior where name = 'statusText' and scope = ''") ?? 'documented'
  if (!other.statusText.has(statusText)) {
    problems.push(`statusText is ${statusText} instead of ${[...other.statusText].join(' or ')}.`)
  }
  other.statusText = new Set([statusText])
}

/**
 * @param {string} file
 * @returns {string} `ok` without any
 */
function findDamage(file) {
  const snapshot = new SQLite(file, { readonly: true })
  try {
    return String(snapshot.pragma('quick_check(1)', { simple: true }))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    snapshot.close()
  }
}
