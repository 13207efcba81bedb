import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * Writes the checksums of all files of a folder to SHA256SUMS, for `sha256sum --check`.
 *
 * @param {string} folder
 * @returns {Promise<{ file: string, bytes: number, sha256: string }[]>}
 */
export async function writeChecksums(folder) {
  const sums = []
  for (const file of readdirSync(folder).toSorted()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, file)), hash)
    sums.push({ file, bytes: statSync(join(folder, file)).size, sha256: hash.digest('hex') })
  }
  writeFileSync(join(folder, 'SHA256SUMS'), sums.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''))
  return sums
}
