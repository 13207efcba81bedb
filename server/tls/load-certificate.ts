import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../domain/text/usage-error.ts'
import type { Certificate } from './certificate.ts'
import { covers } from './self-signed-certificate.ts'

/** Reads a certificate and its key from PEM files, and checks that they are valid now and cover every name. */
export async function loadCertificate(
  files: { readonly cert: string | undefined; readonly key: string | undefined },
  names: readonly string[],
): Promise<Certificate> {
  if (files.cert === undefined || files.key === undefined) {
    const [given, missing] = files.cert === undefined ? ['key', 'cert'] : ['cert', 'key']
    throw new UsageError(`--tls-${given} needs --tls-${missing}. Pass both.`)
  }
  const cert = await read('Certificate', 'tls-cert', files.cert)
  const key = await read('Key', 'tls-key', files.key)
  const certificate = parse(files.cert, 'PEM certificate', 'tls-cert', () => new X509Certificate(cert))
  const privateKey: KeyObject = parse(files.key, 'PEM key without a password', 'tls-key', () =>
    createPrivateKey(key),
  )

  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError(
      `Key ${files.key} does not belong to certificate ${files.cert}. Pass --tls-cert and --tls-key with a matching pair.`,
    )
  }
  const [from, to] = [certificate.validFrom, certificate.validTo]
  if (Date.parse(to) < Date.now() || Date.parse(from) > Date.now()) {
    throw new UsageError(
      `Certificate ${files.cert} is valid only from ${from} to ${to}. Pass --tls-cert with a certificate that is valid now.`,
    )
  }
  const missing = names.find((name) => !covers(certificate, name))
  if (missing !== undefined) {
    const covered = certificate.subjectAltName ?? 'no name at all'
    throw new UsageError(
      `Certificate ${files.cert} does not cover ${missing}. It covers ${covered}. Pass --tls-cert with a certificate that covers it, or another --public-url.`,
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
    throw new UsageError(`${what} ${file} cannot be read: ${why}. Pass --${flag} with a readable file.`)
  }
}

function parse<Parsed>(file: string, what: string, flag: string, parsePem: () => Parsed): Parsed {
  try {
    return parsePem()
  } catch {
    throw new UsageError(`${file} is not a ${what}. Pass --${flag} with one.`)
  }
}
