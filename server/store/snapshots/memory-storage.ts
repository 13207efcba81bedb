import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { SideEffect } from '../side-effect.ts'
import { HEADER_BYTES, readMetadata } from './snapshot-header.ts'
import type { SnapshotStorage } from './snapshot-storage.ts'
import { createTemporaryUpload, removeAbandonedUploads } from './temporary-upload.ts'

/** Keeps snapshots in memory, for a database in memory. Uploads are received in a temporary folder. */
export function createMemoryStorage(): SnapshotStorage {
  const snapshots = new Map<string, Buffer>()
  removeAbandonedUploads()

  function replace(name: string, snapshot: Buffer | undefined): SideEffect {
    const before = snapshots.get(name)
    const set = (value: Buffer | undefined): unknown =>
      value ? snapshots.set(name, value) : snapshots.delete(name)
    set(snapshot)
    return { onCommit() {}, onRollback: () => void set(before) }
  }

  return {
    names: () => [...snapshots.keys()],
    metadata: (name) => readMetadata(snapshots.get(name)!.subarray(0, HEADER_BYTES)),
    size: (name) => snapshots.get(name)!.length,
    read: (name) => Readable.from([snapshots.get(name)!]),
    save: async (name, content) => replace(name, await buffer(content)),
    createUpload: createTemporaryUpload,
    remove: (name) => replace(name, undefined),
  }
}
