import { UsageError } from '../domain/text/usage-error.ts'
import {
  LEADERSHIP_LOST,
  OUTCOME_UNKNOWN,
  postgresTroubleOf,
  STANDBY,
  UNREACHABLE,
} from './postgres/postgres-trouble.ts'
import {
  type Trouble,
  DISK_FULL,
  FILE_READ_ONLY,
  DISK_FAILING,
  codeOf,
} from '../platform/system/file-trouble.ts'

/** The database cannot be used. Its message says why and what to do. */
export class DatabaseError extends UsageError {
  override readonly name = 'DatabaseError'
}

/** The keys are SQLite's error codes, or the first two words of them. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  SQLITE_FULL: DISK_FULL,
  SQLITE_READONLY: FILE_READ_ONLY,
  SQLITE_BUSY: { what: 'another program has locked it', advice: 'Close that program' },
  SQLITE_CORRUPT: { what: 'the file is damaged', advice: 'Move it away' },
  SQLITE_NOTADB: { what: 'file is not a database', advice: 'Move it away' },
  SQLITE_CANTOPEN: { what: 'this user may not read and write it', advice: 'Move it away' },
  SQLITE_IOERR: DISK_FAILING,
  // The file that SQLite shares between connections could not grow.
  SQLITE_IOERR_SHMSIZE: DISK_FULL,
}

/** The problem of the database that caused an error. `undefined` if the error has a different cause. */
export function databaseTroubleOf(error: unknown): Trouble | undefined {
  const code = codeOf(error)
  const [prefix] = /^SQLITE_[A-Z]+/.exec(code) ?? ['']
  return TROUBLES[code] ?? TROUBLES[prefix] ?? postgresTroubleOf(error)
}

/** The connection was lost during a commit, and the server does not respond. */
export class OutcomeUnknownError extends Error {
  readonly code = OUTCOME_UNKNOWN
  /**
   * Waits until the server responds, and returns whether the commit succeeded. Rejects if this process can no longer find out.
   */
  readonly wasCommitted: () => Promise<boolean>

  constructor(wasCommitted: () => Promise<boolean>, cause: unknown) {
    super('The connection was lost during a commit. It is not known whether the commit succeeded.', { cause })
    this.wasCommitted = wasCommitted
  }
}

/** Whether another process has used the database, so that this process must not continue. */
export const isLeadershipLost = (error: unknown): boolean => codeOf(error) === LEADERSHIP_LOST

export const isOutcomeUnknown = (error: unknown): boolean => error instanceof OutcomeUnknownError

/** The error if the sandbox cannot start because of the database. */
export const openError = (file: string, { what, advice }: Trouble, cause?: unknown): DatabaseError =>
  new DatabaseError(
    (option) =>
      `Database ${file} cannot be opened: ${what}. ${advice}, or set ${option('db')} to another file.`,
    { cause },
  )

/** Whether it makes sense to wait for a database that was open before, because the server restarts or cannot be reached. */
export const mayOpenLater = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (databaseTroubleOf(error.cause) !== undefined ||
    /^E[A-Z_]+$/.test(codeOf(error.cause)) ||
    /timeout expired|Connection terminated/.test(String(error.cause)))

/** Why a database that was open before cannot be opened now. */
export const openTroubleOf = (error: unknown): Trouble =>
  (error instanceof Error ? databaseTroubleOf(error.cause) : undefined) ?? UNREACHABLE

/** What a running sandbox responds to a request that needs the database. */
export const unusableMessage = ({ what, advice }: Trouble): string =>
  `The sandbox cannot use its database: ${what}. ${advice}.`

/** The response to a request that failed for a reason other than the database. */
export const INTERNAL_FAILURE = 'The sandbox failed. Its log has the reason'

/** What a running sandbox answers to a request that it failed to handle. Calls of the service's API get a different answer. */
export function failureMessage(error: unknown): string {
  const trouble = databaseTroubleOf(error)
  if (trouble === undefined) return `${INTERNAL_FAILURE}.`
  const result = isOutcomeUnknown(error) ? 'Your request may or may not have been carried out. ' : ''
  return `${result}${unusableMessage(trouble)}`
}

/**
 * The status and the headers of the response to a request that the sandbox failed to handle. If another replica leads, or if a
 * standby is being promoted, the request will succeed a little later.
 */
export const failureStatus = (
  error: unknown,
): { readonly status: 500 | 503; readonly headers: Readonly<Record<string, string>> } =>
  [LEADERSHIP_LOST, STANDBY].includes(codeOf(error))
    ? { status: 503, headers: { 'retry-after': '1' } }
    : { status: 500, headers: {} }

/** What a running sandbox logs about an error: one line for a problem with the database, otherwise the error itself. */
export function describeFailure(file: string, error: unknown): unknown {
  const trouble = databaseTroubleOf(error)
  return trouble === undefined ? error : unusableError(file, trouble, error)
}

/** What a running sandbox logs about a problem with the database. */
export const unusableError = (file: string, { what, advice }: Trouble, cause?: unknown): DatabaseError =>
  new DatabaseError(
    `Database ${file} cannot be used: ${what}. ${advice}. Until then, requests that need it fail.`,
    { cause },
  )
