import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SNAPSHOT_EXTENSION, SNAPSHOT_NAME_PATTERN } from '../../domain/state/snapshot.ts'
import type { SideEffect } from '../side-effect.ts'
import { readFileMetadata } from './snapshot-header.ts'
import type { SnapshotStorage } from './snapshot-storage.ts'

const EXTENSION = SNAPSHOT_EXTENSION
const UPLOAD_EXTENSION = '.upload'
const WRITING_EXTENSION = `${EXTENSION}.new`
const REPLACED_EXTENSION = `${EXTENSION}.old`

/** Keeps each snapshot as a file in a folder. Only its owner may read it. */
export function createFolderStorage(folder: string): SnapshotStorage {
  let replacedCount = 0

  const pathOf = (name: string): string => join(folder, `${name}${EXTENSION}`)

  const filesWith = (extension: string): string[] =>
    existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(extension)) : []

  /** Completes or undoes the changes that a killed process has left incomplete. */
  function cleanUp(): void {
    for (const file of [...filesWith(UPLOAD_EXTENSION), ...filesWith(WRITING_EXTENSION)]) {
      rmSync(join(folder, file), { force: true })
    }
    // If several files were replaced, only the first one was committed before.
    for (const file of filesWith(REPLACED_EXTENSION).toSorted()) {
      const [name = ''] = file.split('.', 1)
      if (existsSync(pathOf(name))) rmSync(join(folder, file), { force: true })
      else renameSync(join(folder, file), pathOf(name))
    }
  }

  function createFolder(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** Renames the file of a snapshot until the unit of work is committed or rolled back. */
  function moveAside(name: string): SideEffect {
    const path = pathOf(name)
    // Numbered, because several units of work in one commit may replace a snapshot of the same name.
    const number = String(replacedCount++).padStart(9, '0')
    const replaced = join(folder, `${name}.${number}${REPLACED_EXTENSION}`)
    if (existsSync(path)) renameSync(path, replaced)
    return {
      onCommit: () => rmSync(replaced, { force: true }),
      onRollback() {
        if (existsSync(replaced)) renameSync(replaced, path)
        else rmSync(path, { force: true })
      },
    }
  }

  function moveTo(name: string, from: string): SideEffect {
    const effect = moveAside(name)
    try {
      renameSync(from, pathOf(name))
    } catch (error) {
      effect.onRollback()
      throw error
    }
    return effect
  }

  cleanUp()
  return {
    names: () =>
      filesWith(EXTENSION)
        .map((file) => file.slice(0, -EXTENSION.length))
        .filter((name) => SNAPSHOT_NAME_PATTERN.test(name)),
    metadata: (name) => readFileMetadata(pathOf(name)),
    size: (name) => statSync(pathOf(name)).size,
    read: (name) => createReadStream(pathOf(name)),
    async save(name, content) {
      const written = join(folder, `${name}${WRITING_EXTENSION}`)
      try {
        createFolder()
        // Removes the file and creates a new one, so that nothing is written through a link.
        rmSync(written, { force: true })
        await pipeline(content, createWriteStream(written, { flags: 'wx', mode: 0o600 }))
        return moveTo(name, written)
      } catch (error) {
        rmSync(written, { force: true })
        throw error
      }
    },
    createUpload() {
      createFolder()
      const path = join(folder, `${randomUUID()}${UPLOAD_EXTENSION}`)
      return { path, discard: () => rmSync(path, { force: true }) }
    },
    remove: moveAside,
  }
}
