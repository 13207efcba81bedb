import { DatabaseError } from '../database-error.ts'

/** The part of the package `pg` that the sandbox uses. The package is an optional dependency, so its own types may be missing. */
export interface PgModule {
  readonly Client: new (config: PgConfig) => PgClient
}

interface PgConfig {
  readonly connectionString: string
  readonly application_name: string
  readonly keepAlive: boolean
  readonly connectionTimeoutMillis: number
  /** How long a statement may wait for its result. */
  readonly query_timeout?: number
  readonly types: { getTypeParser(oid: number, format?: string): (value: string) => unknown }
}

export interface PgClient {
  /** The id of the server's process, or one that a pooler in between has chosen. */
  readonly processID: number
  connect(): Promise<void>
  query(query: PgQuery | string): Promise<PgResult | PgResult[]>
  /** Runs a query object that sends its own messages, and calls its own callback when it has finished. */
  query(query: PgSubmittable): unknown
  on(event: 'error' | 'end', listener: (error?: Error) => void): this
  on(event: 'notification', listener: (message: { readonly channel: string }) => void): this
  end(): Promise<void>
}

interface PgSubmittable {
  submit(connection: PgConnection): void
}

/** The connection of a client. */
export interface PgConnection {
  readonly stream: { write(bytes: Uint8Array): unknown }
}

export interface PgQuery {
  readonly text: string
  readonly values?: readonly unknown[]
  readonly query_timeout?: number
  /** If a statement has a name, the server plans it only once. */
  readonly name?: string | undefined
}

export interface PgResult {
  readonly command: string
  readonly rowCount: number
  readonly rows: Record<string, unknown>[]
}

/** A variable, so that neither the build nor the type check looks for the package. */
const PACKAGE: string = 'pg'

/** Loads the package `pg`. Only a sandbox on PostgreSQL needs it. */
export async function loadPg(label: string): Promise<PgModule> {
  try {
    const loaded = (await import(/* @vite-ignore */ PACKAGE)) as { readonly default: PgModule }
    return loaded.default
  } catch (cause) {
    throw new DatabaseError(
      (option) =>
        `Database ${label} cannot be opened: the package pg is not installed. Add it (\`npm install pg\`), or set ${option('db')} to a file.`,
      { cause },
    )
  }
}
