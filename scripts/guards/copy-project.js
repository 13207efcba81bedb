import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../run.js'

const EXCLUDED = new Set(['node_modules', '.git'])

/** Copies the project to a temporary folder. The copy shares the dependencies. */
export function copyProject() {
  const path = mkdtempSync(join(tmpdir(), 'paylink-guards-'))
  cpSync(root, path, {
    recursive: true,
    // Otherwise, the copied build would be older than the copied sources.
    preserveTimestamps: true,
    filter: (source) => !EXCLUDED.has(basename(source)),
  })
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'), 'junction')
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}
