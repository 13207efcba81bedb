import { codeOf } from '../../platform/system/file-trouble.ts'
import { DatabaseError } from '../database-error.ts'
import type { PostgresAddress } from './address.ts'
import { SCHEMA_GONE, STANDBY } from './postgres-trouble.ts'

/** Explains why the sandbox cannot start: what is wrong, and what to do. Never contains the password. */
export function explainStart(address: PostgresAddress, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const { label } = address
  const reason = reasonFor(address, error)
  return new DatabaseError(
    (option) => `Database ${label} cannot be opened: ${reason}, or set ${option('db')} to another database.`,
    { cause: error },
  )
}

function reasonFor({ server, user, database, schema }: PostgresAddress, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  // The driver reports a missing password without a code.
  if (code === '28P01' || /client password must be a string/.test(message)) {
    return `the password of the user ${user} is missing or wrong. Correct it in the URL or in PGPASSWORD`
  }
  if (code === '28000' && user === '') return 'the URL names no user. Add it, like ?user=name, or set PGUSER'
  if (code === '28000') return `the server rejects the user ${user} (${message}). Allow it in pg_hba.conf`
  if (code === '3D000') return `the server has no database ${database}. Create it (createdb ${database})`
  if (code === '42501') {
    return `the user ${user} may not use or create the schema ${schema} (${message}). Make it the owner of the schema (create schema "${schema}" authorization "${user}")`
  }
  if (code === STANDBY) return `the server at ${server} is a standby. Connect to the primary server`
  if (code === SCHEMA_GONE)
    return `its schema ${schema} is missing. Restore it from a backup, or restart all replicas to begin with an empty one`
  if (code === '53300')
    return 'the server has no free connection. Stop other clients, or raise max_connections'
  if (code === '57P03') return 'the server is starting or stopping. Try again in a moment'
  if (/^(08|57P0)/.test(code)) return `the connection to ${server} was lost. Start the server`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the server is for another host (${message}). Use the host that it names`
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the server has expired. Renew it'
  if (isCertificateProblem(code)) {
    return `the certificate of the server is not trusted (${message}). Name the certificate that signed it with sslrootcert=/path/to/ca.pem in the URL, or accept any certificate with sslmode=no-verify`
  }
  if (error instanceof Error && 'path' in error && code === 'ENOENT' && !/\.s\.PGSQL\./.test(message)) {
    return `the file ${String(error.path)} of the URL does not exist. Correct it`
  }
  if (/^E[A-Z_]+$/.test(code) || /timeout expired/.test(message)) {
    return `no server answers at ${server} (${code || 'timeout'}). Start it, or correct the address`
  }
  if (/does not support SSL/.test(message))
    return 'the server does not support TLS. Remove sslmode from the URL'
  return `${message.replace(/\.$/, '')}. Correct that`
}

/** Whether Node's error code means that it rejected a certificate. */
const isCertificateProblem = (code: string): boolean =>
  /SELF_SIGNED|^CERT_|^UNABLE_TO_(GET|VERIFY)|^ERR_TLS_CERT/.test(code)
