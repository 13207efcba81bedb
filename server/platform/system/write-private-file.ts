import { writeFile } from 'node:fs/promises'

/**
 * Writes a file that contains data of apps. A new file is readable only by its owner. An existing file keeps its mode, because
 * the user may have shared it on purpose.
 */
export const writePrivateFile = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600 })
