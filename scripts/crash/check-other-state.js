import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { one } from './queries.js'

const EXTENSION = '.ndjson.gz'

/** @typedef {import('./expected-state.js').ExpectedState} ExpectedState */

/**
 * Checks snapshots, pins and behaviors.
 *
 * @param {import('better-sqlite3').Database} db
 * @param {string} file
 * @param {ExpectedState} expected
 * @param {string[]} problems
 */
export function checkOtherState(db, file, { other }, problems) {
  const folder = `${file}.snapshots`
  const files = existsSync(folder) ? readdirSync(folder) : []
  for (const [name, state] of other.snapshots) {
    const exists = files.includes(`${name}${EXTENSION}`)
    if (state === 'present' && !exists) problems.push(`Snapshot ${name} was answered, but is missing.`)
    if (state === 'deleted' && exists) problems.push(`Snapshot ${name} was deleted, but still exists.`)
    other.snapshots.set(name, exists ? 'present' : 'deleted')
  }
  for (const name of files.filter((known) => !known.endsWith(EXTENSION))) {
    problems.push(`An incomplete snapshot is left: ${name}.`)
  }
  for (const name of files.filter((known) => known.endsWith(EXTENSION))) {
    const damage = findDamage(join(folder, name))
    if (damage !== undefined) problems.push(`Snapshot ${name} is damaged: ${damage}.`)
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
 * @returns {string | undefined}
 */
function findDamage(file) {
  try {
    const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
    const counts = /** @type {number[]} */ (Object.values(JSON.parse(header).rows))
    const count = counts.reduce((sum, rows) => sum + rows)
    return count === lines.length ? undefined : `${lines.length} of ${count} rows`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
