import { writeFile } from 'node:fs/promises'

/**
 * Writes a file with data of apps. Only the owner may read a new file. An existing file keeps its mode, because the user may
 * have shared it on purpose.
 */
export const writePrivateFile = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600 })
