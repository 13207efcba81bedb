import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'

const DAY_MS = 24 * 60 * 60 * 1000

/** Writes a certificate for a name and its key into a folder, as `<name>.crt` and `<name>.key`. */
export async function issueCertificate(folder: string, name: string, from = -1, to = 30): Promise<void> {
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + from * DAY_MS),
    notAfterDate: new Date(Date.now() + to * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  })
  writeFileSync(join(folder, `${name}.crt`), made.cert)
  writeFileSync(join(folder, `${name}.key`), made.private)
}
