import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findOrFetchPostgres } from '../../scripts/find-postgres.js'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server of this test run. `null`: none could be started. */
    readonly postgresUrl: string | null
  }
}

/** The server asks this user for a password. A test must create it. */
export const SCRAM_USER = 'shielded'

/** Starts a PostgreSQL server, and stops it after the tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const programs = findOrFetchPostgres()
  if (programs === undefined) {
    process.stderr.write(
      'The tests on PostgreSQL are skipped: none is installed, and none could be downloaded.\n',
    )
    project.provide('postgresUrl', null)
    return () => undefined
  }
  const { url, stop } = await startServer(programs)
  project.provide('postgresUrl', url)
  return stop
}

/** Starts a server in a new folder. A standby is read-only. */
export async function startServer(
  programs: string,
  { isStandby = false } = {},
): Promise<{ readonly url: string; restart(): void; stop(): void }> {
  const user = otherUser()
  const folder = mkdtempSync(join(tmpdir(), 'paylink-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const runProgram = (name: string, args: readonly string[]): void => {
    const { status, stdout, stderr, error } = spawnSync(join(programs, name), args, {
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
      encoding: 'utf8',
      // The server keeps what it inherits open, so its output goes to a file.
      stdio: name === 'pg_ctl' ? 'ignore' : 'pipe',
      ...user,
    })
    if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? `${stdout}${stderr}`}`)
  }
  runProgram('initdb', ['-D', data, '-U', 'sandbox', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  // The server uses the first line that matches. All other users need no password.
  const rules = join(data, 'pg_hba.conf')
  writeFileSync(rules, `host all ${SCRAM_USER} all scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  if (isStandby) writeFileSync(join(data, 'standby.signal'), '')
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : folder,
    max_connections: 300,
    // The data is deleted after the tests.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  runProgram('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-o', options.join(' '), '-w', 'start'])
  return {
    url: `postgres://sandbox@127.0.0.1:${port}/postgres`,
    restart: () =>
      runProgram('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-m', 'fast', '-w', 'restart']),
    stop() {
      runProgram('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const read = (flag: string, name: string): number =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN)
  return ['postgres', 'nobody']
    .map((name) => ({ uid: read('-u', name), gid: read('-g', name) }))
    .find(({ uid }) => Number.isInteger(uid))
}
