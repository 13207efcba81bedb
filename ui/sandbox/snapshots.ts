import { signal } from '@preact/signals'
import type { SnapshotView } from '../../server/contract/views.ts'
import { request, withErrorToast } from '../data/api.ts'
import { createResource } from '../data/resource.ts'
import { showToast } from '../browser/toasts.ts'
import { controlUrl } from '../data/urls.ts'
import { shouldLoadBehaviors } from './behavior-resource.ts'

/** Increases when this page changes the list, because the journal does not contain uploads and deletions. */
const version = signal(0)
const reload = () => void (version.value += 1)

export const snapshots = createResource(() =>
  shouldLoadBehaviors() && version.value >= 0 ? load() : undefined,
)

async function load(): Promise<readonly SnapshotView[]> {
  return (await request('GET /snapshots')).snapshots
}

/** The state before the last restore from this screen. */
export const BEFORE_RESTORE = 'before-restore'

export const snapshotFileUrl = (name: string): string =>
  `${controlUrl}/snapshots/${encodeURIComponent(name)}/file`

export async function takeSnapshot(name: string, replace: boolean): Promise<void> {
  await request('POST /snapshots', { json: { name, replace } })
  reload()
  showToast({ tone: 'ok', text: `Snapshot "${name}" taken` })
}

/** Restores a snapshot. Saves the current state first, so that the restore can be undone. */
export const restoreSnapshot = (name: string): Promise<unknown> =>
  withErrorToast(async () => {
    const isUndo = name === BEFORE_RESTORE
    if (!isUndo) await request('POST /snapshots', { json: { name: BEFORE_RESTORE, replace: true } })
    await request('POST /snapshots/:name/restore', { param: { name } })
    reload()
    showToast({
      tone: 'ok',
      text: isUndo ? 'The state before the last restore is back' : `Snapshot "${name}" restored`,
      ...(isUndo ? {} : { action: { label: 'Undo', run: () => restoreSnapshot(BEFORE_RESTORE) } }),
    })
  })

export async function deleteSnapshot(name: string): Promise<void> {
  await request('DELETE /snapshots/:name', { param: { name } })
  reload()
}

export async function uploadSnapshot(name: string, file: Blob, replace: boolean): Promise<void> {
  const query = { replace: replace ? 'true' : 'false' } as const
  await request('PUT /snapshots/:name/file', { param: { name }, query, file })
  reload()
  showToast({ tone: 'ok', text: `Snapshot "${name}" uploaded` })
}

/** A name for a snapshot, from the name of its file: lower-case letters, digits, `-` and `_`. */
export const nameOfFile = (file: string): string =>
  file
    .toLowerCase()
    .replace(/(\.ndjson)?\.[a-z0-9]+$/, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 64)
