import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from './free-port.ts'
import { query } from './postgres.ts'

/** Starts PgBouncer before a server. */
export async function startPgBouncer(
  folder: string,
  server: string,
  mode: 'session' | 'transaction' | 'statement',
  settings: Readonly<Record<string, string | number>> = {},
) {
  const { hostname, port: serverPort, username, pathname } = new URL(server)
  const port = await freePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'any',
    unix_socket_dir: '',
    pool_mode: mode,
    ...settings,
  }
  const file = join(folder, `pgbouncer-${port}.ini`)
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([key, value]) => `${key} = ${value}`),
    ].join('\n'),
  )
  // PgBouncer does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  chmodSync(folder, 0o755)
  const child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' })
  const ended = once(child, 'close')
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`
  await expect
    .poll(() =>
      query(url, 'select 1').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
