import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../domain/text/usage-error.ts'
import type { Certificate } from './certificate.ts'
import { covers } from './self-signed-certificate.ts'

/** A certificate and its key from files, once they are what they have to be for the names given. */
export async function loadCertificate(
  files: { readonly cert: string | undefined; readonly key: string | undefined },
  names: readonly string[],
): Promise<Certificate> {
  if (files.cert === undefined || files.key === undefined) {
    const [given, missing] = files.cert === undefined ? ['key', 'cert'] : ['cert', 'key']
    throw new UsageError(`--tls-${given} is of no use alone. Pass --tls-${missing} too.`)
  }
  const cert = await read('Certificate', 'tls-cert', files.cert)
  const key = await read('Key', 'tls-key', files.key)
  const certificate = parse(files.cert, 'PEM certificate', 'tls-cert', () => new X509Certificate(cert))
  const privateKey: KeyObject = parse(files.key, 'PEM key without a password', 'tls-key', () =>
    createPrivateKey(key),
  )

  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError(
      `Key ${files.key} is not that of certificate ${files.cert}. Pass --tls-cert and --tls-key with two that belong together.`,
    )
  }
  const [from, to] = [certificate.validFrom, certificate.validTo]
  if (Date.parse(to) < Date.now() || Date.parse(from) > Date.now()) {
    throw new UsageError(
      `Certificate ${files.cert} is valid from ${from} to ${to}, which is not now. Pass --tls-cert with one that is.`,
    )
  }
  const missing = names.find((name) => !covers(certificate, name))
  if (missing !== undefined) {
    const own = certificate.subjectAltName ?? 'no name at all'
    throw new UsageError(
      `Certificate ${files.cert} is not for ${missing}, but for ${own}. Pass --tls-cert with one that is, or another --public-url.`,
    )
  }
  return { cert, key, file: resolve(files.cert), isSelfSigned: false, dispose: async () => {} }
}

async function read(what: string, flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : (error as Error).message
    throw new UsageError(`${what} ${file} cannot be read: ${why}. Pass --${flag} with one that can.`)
  }
}

function parse<Parsed>(file: string, what: string, flag: string, read_: () => Parsed): Parsed {
  try {
    return read_()
  } catch {
    throw new UsageError(`${file} is no ${what}. Pass --${flag} with one.`)
  }
}
