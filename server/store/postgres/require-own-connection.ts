import { randomUUID } from 'node:crypto'
import { resultWithin } from '../../platform/system/result-within.ts'
import { DatabaseError } from '../database-error.ts'
import type { PostgresAddress } from './address.ts'
import { SHARED_CONNECTION } from './postgres-trouble.ts'
import type { Session } from './session.ts'

/** How long a notification may take. */
const NOTIFICATION_MS = 3_000

/** The connection goes through a pooler, which also gives it to other clients. */
class SharedConnectionError extends DatabaseError {
  readonly code = SHARED_CONNECTION
}

/**
 * Rejects a pooler in transaction or statement mode. Such a pooler may run each transaction on a different connection to the
 * server, so a lock of the session would protect nothing. To find out, a client waits for a notification, which arrives only if
 * the client keeps its connection.
 */
export async function requireOwnConnection(session: Session, address: PostgresAddress): Promise<void> {
  const { rows } = await session.query('select pg_backend_pid() as "id"')
  // A pooler reports an id that it has chosen itself.
  if (Number(rows[0]!.id) === session.processId) return
  const channel = `paylink-${randomUUID()}`
  const notification = session.notificationOf(channel)
  await session.query(`listen "${channel}"`)
  await session.queryAlone(`notify "${channel}"`, NOTIFICATION_MS).catch((cause: unknown) => {
    throw new DatabaseError(
      (option) =>
        `Database ${address.label} cannot be opened: the pooler at ${address.server} gives the sandbox no second connection. Raise its pool_size, or set ${option('db')} to the address of the server itself.`,
      { cause },
    )
  })
  const notified = resultWithin(NOTIFICATION_MS, notification)
  if (!(await notified)) {
    throw new SharedConnectionError(
      (option) =>
        `Database ${address.label} cannot be opened: ${address.server} is a pooler in transaction or statement mode, which breaks the lock of the sandbox. Set ${option('db')} to the address of the server itself, or of a pooler in session mode.`,
    )
  }
  await session.query(`unlisten "${channel}"`)
}
