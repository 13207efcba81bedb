import { isCutPassword, printableDatabase, addHost } from '../../platform/system/database-name.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { DatabaseError } from '../database-error.ts'

/** Where a sandbox on PostgreSQL keeps its data. */
export interface PostgresAddress {
  /** The address for the driver. It contains the password, so it must never be printed. */
  readonly connectionString: string
  /** The address without the password. */
  readonly label: string
  /** Like `db.example:5432`. */
  readonly server: string
  readonly user: string
  readonly database: string
  readonly schema: string
}

const DEFAULT_SCHEMA = 'paylink'

const SCHEMA_PATTERN = /^[a-z_][a-z0-9_-]{0,62}$/

/** The connection parameters of `pg`, and the sandbox's own parameter `schema`. */
const PARAMETERS = [
  'schema',
  'user',
  'host',
  'port',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
  'application_name',
  'client_encoding',
  'options',
  'statement_timeout',
  'lock_timeout',
]

/** The values of `sslmode` that `pg` supports. `no-verify` exists only there; the others are PostgreSQL's. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** Reads `postgres://user:password@host:5432/database?schema=team-a`. */
export function parseAddress(databaseUrl: string): PostgresAddress {
  const text = addHost(databaseUrl)
  if (!URL.canParse(text) || isCutPassword(new URL(text))) {
    throw new DatabaseError(
      (option) =>
        `${option('db')} is not a valid URL. It must be like postgres://user@host/database?schema=team-a. Percent-encode special characters in the password, such as @ as %40.`,
    )
  }
  const url = new URL(text)
  const names = [...url.searchParams.keys()]
  const repeatedName = names.find((name, index) => names.indexOf(name) !== index)
  if (repeatedName !== undefined) {
    throw new DatabaseError(
      (option) =>
        `The URL in ${option('db')} has the parameter ${JSON.stringify(repeatedName)} twice. Remove one.`,
    )
  }
  const unknown = names.find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) {
    throw new DatabaseError(
      (option) =>
        `The URL in ${option('db')} has an unknown parameter ${JSON.stringify(unknown)}${didYouMean(unknown, PARAMETERS) || '.'} The parameters are ${PARAMETERS.join(', ')}.`,
    )
  }
  const sslMode = url.searchParams.get('sslmode')
  if (sslMode !== null && !SSL_MODES.includes(sslMode)) {
    throw new DatabaseError(
      (option) =>
        `The URL in ${option('db')} has an unknown sslmode ${JSON.stringify(sslMode)}${didYouMean(sslMode, SSL_MODES) || '.'} The values are ${SSL_MODES.join(', ')}.`,
    )
  }
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!SCHEMA_PATTERN.test(schema) || schema.startsWith('pg_')) {
    throw new DatabaseError(
      (option) =>
        `The schema in ${option('db')} is ${JSON.stringify(schema)}. It must have at most 63 lower-case letters, digits, _ and -, like team-a.`,
    )
  }
  url.searchParams.delete('schema')
  const connectionString = url.href
  const user = url.searchParams.get('user') ?? decodeURIComponent(url.username)
  const server = url.searchParams.get('host') ?? url.host
  return {
    connectionString,
    label: printableDatabase(text),
    server: server === '' ? 'this machine' : server,
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    schema,
  }
}
