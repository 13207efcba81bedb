import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Upload } from './snapshot-storage.ts'

/** The names of folders for uploads consist of this prefix and the id of the process that receives the upload. */
const UPLOAD_FOLDER_PREFIX = 'paylink-upload-'

/** A path in a temporary folder, for a storage without a folder of its own. */
export function createTemporaryUpload(): Upload {
  const folder = mkdtempSync(join(tmpdir(), `${UPLOAD_FOLDER_PREFIX}${process.pid}-`))
  return {
    path: join(folder, 'upload'),
    discard: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Removes the uploads of processes that were killed. */
export function removeAbandonedUploads(): void {
  for (const folder of readdirSync(tmpdir()).filter((name) => name.startsWith(UPLOAD_FOLDER_PREFIX))) {
    const [id = ''] = folder.slice(UPLOAD_FOLDER_PREFIX.length).split('-')
    if (!/^\d+$/.test(id) || isRunning(Number(id))) continue
    try {
      rmSync(join(tmpdir(), folder), { recursive: true, force: true })
    } catch {
      // The folder belongs to another user.
    }
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
