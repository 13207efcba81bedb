import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { hostname, networkInterfaces, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeDataFolder } from '../system/make-folder.ts'
import { DISK_FULL, fileTroubleOf } from '../system/file-trouble.ts'
import { isDatabaseFile } from '../system/database-name.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { Certificate } from './certificate.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Clients such as Safari reject certificates that are valid for longer than 398 days. */
const VALID_DAYS = 397
/** A certificate is replaced this long before it expires. */
const RENEW_DAYS = 30

/**
 * The sandbox's self-signed certificate. It is kept next to the database file, so that clients have to trust it only once, and
 * replaced if it expires soon or does not cover one of `names`. Without a database file, it is temporary.
 */
export async function selfSignedCertificate(db: string, names: readonly string[]): Promise<Certificate> {
  const isKept = isDatabaseFile(db)
  const folder = isKept ? dirname(resolve(db)) : await mkdtemp(join(tmpdir(), 'paylink-tls-'))
  const base = isKept ? resolve(db) : join(folder, 'sandbox')
  const [file, keyFile] = [`${base}.crt`, `${base}.key`]
  const existing = await Promise.all([file, keyFile].map((path) => readFile(path, 'utf8').catch(() => '')))
  const canReuse = isUsable(existing[0]!, existing[1]!, names)
  const [cert, key] = canReuse ? ([existing[0]!, existing[1]!] as const) : await generateCertificate(names)
  if (!canReuse) {
    try {
      makeDataFolder(folder)
      await replace(keyFile, key, 0o600)
      await replace(file, cert, 0o644)
    } catch (error) {
      const why = reasonOf(error)
      throw new UsageError((option) =>
        fileTroubleOf(error) === DISK_FULL
          ? `Certificate ${file} cannot be written: ${DISK_FULL.what}. ${DISK_FULL.advice}, or set ${option('db')} to another file.`
          : `Certificate ${file} cannot be written: ${why}. Set ${option('db')} to a file in a writable folder.`,
      )
    }
  }
  return {
    cert,
    key,
    file,
    isSelfSigned: true,
    dispose: async () => (isKept ? undefined : rm(folder, { recursive: true, force: true })),
  }
}

/**
 * Writes a new file and renames it, so that a killed process does not leave an incomplete file. Never writes to an existing file
 * or through a link, because other users may be able to read that file.
 */
async function replace(file: string, text: string, mode: number): Promise<void> {
  await rm(`${file}.new`, { force: true })
  await writeFile(`${file}.new`, text, { mode, flag: 'wx' })
  await rename(`${file}.new`, file)
}

function isUsable(pem: string, key: string, names: readonly string[]): boolean {
  try {
    const certificate = new X509Certificate(pem)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return false
    const left = Date.parse(certificate.validTo) - Date.now()
    return left > RENEW_DAYS * DAY_MS && names.every((name) => covers(certificate, name))
  } catch {
    return false
  }
}

/** Whether a certificate covers a host name or an IP address. */
export const covers = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined

async function generateCertificate(names: readonly string[]): Promise<readonly [cert: string, key: string]> {
  // Loaded on demand, to keep startup fast.
  const { generate } = await import('selfsigned')
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address),
  )
  const all = new Set([
    'localhost',
    '*.localhost',
    'host.docker.internal',
    hostname(),
    ...names,
    ...addresses,
  ])
  const altNames = [...all].map((name) =>
    isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const),
  )
  const generated = await generate([{ name: 'commonName', value: 'paylink-sandbox' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY_MS),
    notAfterDate: new Date(Date.now() + VALID_DAYS * DAY_MS - DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return [generated.cert, generated.private]
}
