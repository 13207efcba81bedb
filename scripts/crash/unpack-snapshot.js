import SQLite from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { spawnSandbox } from '../spawn-sandbox.js'

/**
 * Writes a snapshot into a database file, so that it can be queried.
 *
 * @param {Buffer} snapshot
 * @param {string} file replaced if it exists
 * @param {string} folder
 */
export async function unpackSnapshot(snapshot, file, folder) {
  rmSync(file, { force: true })
  const sandbox = spawnSandbox(['--port', '0', '--db', file], { cwd: folder })
  await sandbox.ready
  await sandbox.end('SIGTERM')
  const db = new SQLite(file)
  db.pragma('foreign_keys = off')
  db.exec('begin')
  const [header = '', ...lines] = gunzipSync(snapshot).toString().trimEnd().split('\n')
  for (const table of Object.keys(JSON.parse(header).rows)) db.exec(`delete from "${table}"`)
  for (const line of lines) {
    const [table, row] = JSON.parse(line)
    const names = Object.keys(row).map((name) => `"${name}"`)
    const values = Object.values(row).map((value) =>
      typeof value?.base64 === 'string' ? Buffer.from(value.base64, 'base64') : value,
    )
    db.prepare(`insert into "${table}" (${names.join()}) values (${names.map(() => '?').join()})`).run(values)
  }
  db.exec('commit')
  db.close()
}
