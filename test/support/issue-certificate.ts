import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Writes a certificate for a name and its key into a folder, as `<name>.crt` and `<name>.key`. It is self-signed, or signed by an
 * authority whose certificate is not written.
 */
export async function issueCertificate(
  folder: string,
  name: string,
  from = -1,
  to = 30,
  isSelfSigned = true,
): Promise<void> {
  const authority = isSelfSigned
    ? undefined
    : await generate([{ name: 'commonName', value: 'An authority' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        extensions: [{ name: 'basicConstraints', cA: true }],
      })
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + from * DAY_MS),
    notAfterDate: new Date(Date.now() + to * DAY_MS),
    ...(authority && { ca: { key: authority.private, cert: authority.cert } }),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  })
  writeFileSync(join(folder, `${name}.crt`), made.cert)
  writeFileSync(join(folder, `${name}.key`), made.private)
}
