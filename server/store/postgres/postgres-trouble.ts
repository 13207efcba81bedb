import { codeOf, DISK_FULL, type Trouble } from '../../platform/system/file-trouble.ts'

/** The code of an error that makes the connection unusable. */
export const CONNECTION_LOST = '08006'

/** The code of an error that leaves open whether the transaction was committed. */
export const OUTCOME_UNKNOWN = '08007'

/** The code of the error if another process has used the schema. */
export const LEADERSHIP_LOST = '08L01'

/** The code of the error if a pooler runs each transaction on a different connection. */
export const SHARED_CONNECTION = '08L02'

/** The code of the error if the server is a standby. */
export const STANDBY = '08L03'

/** PostgreSQL's code for a missing schema. */
export const SCHEMA_GONE = '3F000'

export const UNREACHABLE: Trouble = {
  what: 'the connection to the database server was lost',
  advice: 'Make sure that the server runs and can be reached (the sandbox reconnects by itself)',
}

/** The server has become a standby, or someone has set `default_transaction_read_only`. */
export const READ_ONLY: Trouble = { what: 'it is read-only', advice: 'Connect to the primary server' }

/** The keys are PostgreSQL's error codes. A key with two characters stands for a class of errors. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  '08': UNREACHABLE,
  [LEADERSHIP_LOST]: {
    what: 'another sandbox has used its schema',
    advice: 'Restart this one if it has no replicas',
  },
  [SHARED_CONNECTION]: {
    what: 'a pooler in transaction or statement mode is before the database server, which breaks the lock of the sandbox',
    advice: 'Connect to the server itself, or to a pooler in session mode',
  },
  [STANDBY]: {
    what: 'the database server is a standby, which accepts no changes',
    advice: 'Promote it, or connect to the primary server (the sandbox reconnects by itself)',
  },
  [SCHEMA_GONE]: {
    what: 'its schema is missing',
    advice: 'Restore it from a backup, or restart the sandbox to begin with an empty one',
  },
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  '53': { what: 'the database server has run out of a resource', advice: 'Read its log' },
  '53100': DISK_FULL,
  '25006': READ_ONLY,
  '42501': { what: 'the database user lacks a privilege', advice: 'Make it the owner of the schema' },
}

/** The problem of PostgreSQL that caused an error. `undefined` if the error has a different cause. */
export function postgresTroubleOf(error: unknown): Trouble | undefined {
  const code = codeOf(error)
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined
  return TROUBLES[code] ?? TROUBLES[code.slice(0, 2)]
}
