import { type Trouble, FULL, READ_ONLY, FAILING, codeOf } from '../../system/file-trouble.ts'

/** The database cannot be used. The message says what is wrong and what to do. */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem'
}

/** By SQLite's code, or by how it begins. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  SQLITE_FULL: FULL,
  SQLITE_READONLY: READ_ONLY,
  SQLITE_BUSY: { what: 'another program has locked it', advice: 'Close that program' },
  SQLITE_CORRUPT: { what: 'the file is damaged', advice: 'Move it away' },
  SQLITE_NOTADB: { what: 'file is not a database', advice: 'Move it away' },
  SQLITE_CANTOPEN: { what: 'it is no file that this user may read and write', advice: 'Move it away' },
  SQLITE_IOERR: FAILING,
  // The file that the connections share could not grow.
  SQLITE_IOERR_SHMSIZE: FULL,
}

/** What is wrong with the database, where that is why something failed. `undefined` for any other failure. */
export function databaseTroubleOf(error: unknown): Trouble | undefined {
  const code = codeOf(error)
  const [prefix] = /^SQLITE_[A-Z]+/.exec(code) ?? ['']
  return TROUBLES[code] ?? TROUBLES[prefix]
}

/** A sandbox could not start with a database. */
export const openError = (file: string, { what, advice }: Trouble): DatabaseProblem =>
  new DatabaseProblem(
    `Database ${file} cannot be opened: ${what}. ${advice}, or pass --db with another file.`,
  )

/** What a sandbox that runs answers to whoever needs the database. */
export const unusableMessage = ({ what, advice }: Trouble): string =>
  `The sandbox cannot use its database: ${what}. ${advice}.`

/** What a sandbox that runs reports: a line about the database where that failed, anything else as it is. */
export function explainFailure(file: string, error: unknown): unknown {
  const trouble = databaseTroubleOf(error)
  if (trouble === undefined) return error
  return new DatabaseProblem(
    `Database ${file} cannot be used: ${trouble.what}. ${trouble.advice}. Until then, what needs it is answered with an error.`,
    { cause: error },
  )
}
