import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { SideEffect } from '../side-effect.ts'
import { openSnapshot } from './open-snapshot.ts'
import { readSnapshotMetadata, type SnapshotMetadata } from './snapshot-metadata.ts'
import type { SnapshotStorage } from './snapshot-storage.ts'

interface SnapshotInMemory {
  readonly bytes: Buffer
  readonly metadata: SnapshotMetadata
}

/** Keeps snapshots in memory, for a database in memory. Uploads are received in a temporary folder on the disk. */
export function createMemoryStorage(): SnapshotStorage {
  const snapshots = new Map<string, SnapshotInMemory>()
  removeAbandonedUploads()

  function replace(name: string, snapshot: SnapshotInMemory | undefined): SideEffect {
    const before = snapshots.get(name)
    const set = (value: SnapshotInMemory | undefined): unknown =>
      value ? snapshots.set(name, value) : snapshots.delete(name)
    set(snapshot)
    return { onCommit() {}, onRollback: () => void set(before) }
  }

  return {
    names: () => [...snapshots.keys()],
    metadata: (name) => snapshots.get(name)!.metadata,
    size: (name) => snapshots.get(name)!.bytes.length,
    open: (name) => openSnapshot(snapshots.get(name)!.bytes),
    read: (name) => Readable.from([snapshots.get(name)!.bytes]),
    save: (name, bytes, metadata) => replace(name, { bytes, metadata }),
    createUpload() {
      const folder = mkdtempSync(join(tmpdir(), `${UPLOAD_FOLDER_PREFIX}${process.pid}-`))
      return {
        path: join(folder, randomUUID()),
        discard: () => rmSync(folder, { recursive: true, force: true }),
      }
    },
    saveUpload(name, { path }) {
      const bytes = readFileSync(path)
      return replace(name, { bytes, metadata: readSnapshotMetadata(() => openSnapshot(bytes)) })
    },
    remove: (name) => replace(name, undefined),
  }
}

/** The folders of uploads are named after this and the id of the process that receives them. */
const UPLOAD_FOLDER_PREFIX = 'paylink-upload-'

/** Removes the uploads of processes that were killed. */
function removeAbandonedUploads(): void {
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
