import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'

/** @typedef {Awaited<ReturnType<typeof startPostgres>>} PostgresServer */

/**
 * Starts a PostgreSQL server in a new folder. A standby is read-only. A durable server keeps every commit when it is stopped
 * without warning.
 *
 * @param {string} programs the folder of its programs
 * @param {{ isStandby?: boolean, isDurable?: boolean, scramUser?: string }} [options] `scramUser`: the only user who needs a password
 */
export async function startPostgres(programs, { isStandby = false, isDurable = false, scramUser } = {}) {
  const server = await createServer(programs, isDurable)
  const { data, runProgram, start, stop } = server
  runProgram('initdb', ['-D', data, '-U', 'sandbox', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  if (scramUser !== undefined) {
    // The server uses the first line that matches.
    const rules = join(data, 'pg_hba.conf')
    writeFileSync(rules, `host all ${scramUser} all scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  }
  if (isStandby) writeFileSync(join(data, 'standby.signal'), '')
  start()
  return {
    url: server.url,
    /** Stops the server, a durable one without warning, and starts it again. */
    restart() {
      stop(isDurable ? 'immediate' : 'fast')
      start()
    },
    /** Restarts the server with a standby, which gets each commit a little later. */
    async addStandby() {
      const standby = await createServer(programs, isDurable)
      stop('fast')
      cpSync(data, standby.data, { recursive: true })
      chmodSync(standby.data, 0o700)
      if (user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, standby.data])
      writeFileSync(join(standby.data, 'standby.signal'), '')
      const source = `host=127.0.0.1 port=${new URL(server.url).port} user=sandbox`
      writeFileSync(join(standby.data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
      start()
      standby.start()
      return {
        url: standby.url,
        /** Makes the standby the primary server. */
        promote: () => standby.runProgram('pg_ctl', ['-D', standby.data, '-w', 'promote']),
        stop: standby.remove,
      }
    },
    stop: server.remove,
  }
}

/**
 * @param {string} programs
 * @param {boolean} isDurable
 */
async function createServer(programs, isDurable) {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  /** @type {(name: string, args: readonly string[]) => void} */
  function runProgram(name, args) {
    const { status, stdout, stderr, error } = spawnSync(join(programs, name), args, {
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
      encoding: 'utf8',
      // The server keeps inherited streams open, so its output goes to a file.
      stdio: name === 'pg_ctl' ? 'ignore' : 'pipe',
      ...user,
    })
    if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? `${stdout}${stderr}`}`)
  }
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : folder,
    max_connections: 300,
    // The data is deleted afterwards, so it need not survive a crash.
    ...(!isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  /** @param {'fast' | 'immediate'} mode */
  const stop = (mode) => runProgram('pg_ctl', ['-D', data, '-m', mode, '-w', 'stop'])
  return {
    url: `postgres://sandbox@127.0.0.1:${port}/postgres`,
    data,
    runProgram,
    start: () =>
      runProgram('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-o', options.join(' '), '-w', 'start']),
    stop,
    remove() {
      stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @type {(flag: string, name: string) => number} */
const readId = (flag, name) =>
  Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN)

/**
 * PostgreSQL refuses to run as root.
 *
 * @returns {{ uid: number, gid: number } | undefined}
 */
function otherUser() {
  if (process.getuid?.() !== 0) return undefined
  return ['postgres', 'nobody']
    .map((name) => ({ uid: readId('-u', name), gid: readId('-g', name) }))
    .find(({ uid }) => Number.isInteger(uid))
}

const user = otherUser()
