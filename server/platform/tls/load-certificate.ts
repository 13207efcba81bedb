import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import { UsageError } from '../../domain/text/usage-error.ts'
import { readTextFile } from '../system/read-file.ts'
import type { Certificate } from './certificate.ts'
import { covers } from './self-signed-certificate.ts'

/** Reads a certificate and its key from PEM files, and checks that they are valid now and cover every name. */
export async function loadCertificate(
  files: { readonly cert: string | undefined; readonly key: string | undefined },
  names: readonly string[],
): Promise<Certificate> {
  if (files.cert === undefined || files.key === undefined) {
    const [given, missing] = files.cert === undefined ? ['tlsKey', 'tlsCert'] : ['tlsCert', 'tlsKey']
    throw new UsageError((option) => `${option(given)} requires ${option(missing)}. Set both.`)
  }
  const { cert, certificate } = await readCertificate(files.cert)
  const key = await read('Key', 'tlsKey', files.key)
  const privateKey: KeyObject = parse(files.key, 'PEM key without a password', 'tlsKey', () =>
    createPrivateKey(key),
  )

  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError(
      (option) =>
        `Key ${files.key} does not belong to certificate ${files.cert}. Set ${option('tlsCert')} and ${option('tlsKey')} to a matching pair.`,
    )
  }
  const [from, to] = [certificate.validFrom, certificate.validTo]
  if (Date.parse(to) < Date.now() || Date.parse(from) > Date.now()) {
    throw new UsageError(
      (option) =>
        `Certificate ${files.cert} is valid only from ${from} to ${to}. Set ${option('tlsCert')} to one that is valid now.`,
    )
  }
  const missing = names.find((name) => !covers(certificate, name))
  if (missing !== undefined) {
    const covered = certificate.subjectAltName ?? 'no name at all'
    throw new UsageError(
      (option) =>
        `Certificate ${files.cert} does not cover ${missing}. It covers ${covered}. Set ${option('tlsCert')} to one that covers it, or change ${option('publicUrl')}.`,
    )
  }
  return { cert, key, file: resolve(files.cert), isSelfSigned: false, dispose: async () => {} }
}

export async function readCertificate(file: string): Promise<{ cert: string; certificate: X509Certificate }> {
  const cert = await read('Certificate', 'tlsCert', file)
  return { cert, certificate: parse(file, 'PEM certificate', 'tlsCert', () => new X509Certificate(cert)) }
}

const read = (noun: string, key: string, file: string): Promise<string> =>
  readTextFile(file, {
    notText: 'it is not in the format PEM. Convert it with openssl',
    refuse: (why) =>
      new UsageError(
        (option) => `${noun} ${file} cannot be read: ${why}. Set ${option(key)} to a readable file.`,
      ),
  })

function parse<Parsed>(file: string, format: string, key: string, parsePem: () => Parsed): Parsed {
  try {
    return parsePem()
  } catch {
    throw new UsageError((option) => `${file} is not a ${format}. Set ${option(key)} to one.`)
  }
}
