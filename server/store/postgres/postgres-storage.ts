import { sql, type Kysely } from 'kysely'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { randomUUID } from 'node:crypto'
import type { SideEffect } from '../side-effect.ts'
import type { Database } from '../schema.ts'
import { HEADER_BYTES, readMetadata, type SnapshotMetadata } from '../snapshots/snapshot-header.ts'
import type { SnapshotStorage } from '../snapshots/snapshot-storage.ts'
import { createTemporaryUpload, removeAbandonedUploads } from '../snapshots/temporary-upload.ts'

/** A multiple of three, so that the base64 text of a part has no padding. */
const PART_BYTES = 3 * 1024 * 1024

interface StoredSnapshot {
  readonly id: string
  readonly size: number
  readonly metadata: SnapshotMetadata
}

/**
 * Keeps snapshots in the schema of the sandbox. Their rows are committed or rolled back with the unit of work. Their metadata is
 * also kept in memory, which is safe because no other process changes it.
 */
export async function createPostgresStorage(db: Kysely<Database>): Promise<SnapshotStorage> {
  removeAbandonedUploads()
  const snapshotsByName = new Map<string, StoredSnapshot>()

  async function reload(at: Kysely<Database>): Promise<void> {
    const { rows: all } = await sql<StoredSnapshot & { name: string; metadata: string }>`
      select "name", "id", "size", "metadata" from "snapshot"`.execute(at)
    snapshotsByName.clear()
    for (const { name, id, size, metadata } of all) {
      snapshotsByName.set(name, { id, size, metadata: JSON.parse(metadata) as SnapshotMetadata })
    }
  }
  await reload(db)

  function change(name: string, next: StoredSnapshot | undefined): SideEffect {
    const before = snapshotsByName.get(name)
    const set = (kept: StoredSnapshot | undefined): unknown =>
      kept ? snapshotsByName.set(name, kept) : snapshotsByName.delete(name)
    set(next)
    return { onCommit() {}, onRollback: () => void set(before) }
  }

  async function save(name: string, content: Readable, at: Kysely<Database>): Promise<SideEffect> {
    const bytes = await buffer(content)
    const metadata = readMetadata(bytes.subarray(0, HEADER_BYTES))
    const id = randomUUID()
    await erase(name, at)
    await sql`insert into "snapshot" ("name", "id", "size", "metadata")
      values (${name}, ${id}, ${bytes.length}, ${JSON.stringify(metadata)})`.execute(at)
    for (let from = 0, part = 0; from < bytes.length; from += PART_BYTES, part++) {
      const text = bytes.toString('base64', from, Math.min(from + PART_BYTES, bytes.length))
      await sql`insert into "snapshotPart" ("snapshot", "part", "bytes")
        values (${id}, ${part}, decode(${text}, 'base64'))`.execute(at)
    }
    return change(name, { id, size: bytes.length, metadata })
  }

  /** The bytes of a snapshot, in parts. Rejects if the snapshot was replaced meanwhile. */
  async function* read({ id, size }: StoredSnapshot, at: Kysely<Database>): AsyncGenerator<Buffer> {
    for (let part = 0; part * PART_BYTES < size; part++) {
      const { rows } = await sql<{ text: string }>`select encode("bytes", 'base64') as "text"
        from "snapshotPart" where "snapshot" = ${id} and "part" = ${part}`.execute(at)
      if (!rows[0]) throw new Error('The snapshot was replaced or deleted while it was read.')
      yield Buffer.from(rows[0].text, 'base64')
    }
  }

  return {
    reload,
    names: () => [...snapshotsByName.keys()],
    metadata: (name) => snapshotsByName.get(name)!.metadata,
    size: (name) => snapshotsByName.get(name)!.size,
    read: (name, at = db) => Readable.from(read(snapshotsByName.get(name)!, at)),
    save,
    createUpload: createTemporaryUpload,
    async remove(name, at) {
      await erase(name, at)
      return change(name, undefined)
    },
  }
}

const erase = (name: string, db: Kysely<Database>) =>
  sql`delete from "snapshot" where "name" = ${name}`.execute(db)
