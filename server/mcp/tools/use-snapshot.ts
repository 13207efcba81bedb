import { z } from 'zod'
import { plural } from '../../contract/format/values.ts'
import type { SnapshotView } from '../../contract/views.ts'
import { ToolError } from '../explain-failure.ts'
import { createTool } from '../tool.ts'

export const useSnapshotTool = createTool({
  name: 'use_snapshot',
  title: 'Take, restore or list snapshots',
  description:
    'Saves the whole state of the sandbox under a name, or restores it: accounts, links, webhooks, events, faults, clock. Take a snapshot before a change that you may want to undo. restore discards everything that happened since.',
  input: z.strictObject({
    action: z.enum(['take', 'restore', 'list']),
    name: z
      .string()
      .optional()
      .meta({ description: 'For take and restore: small letters, digits and dashes.' }),
    replace: z
      .boolean()
      .optional()
      .meta({ description: 'With take: replaces an existing snapshot of this name.' }),
  }),
  effect: { kind: 'changes', reachesApp: true },
  async run({ action, name, replace }, { sandbox, inspector }) {
    if ((action === 'list') !== (name === undefined) || (replace !== undefined && action !== 'take')) {
      throw new ToolError('Pass name for take and restore. Pass replace only for take.')
    }
    if (action === 'take') await sandbox.snapshot(name!, replace === undefined ? {} : { replace })
    if (action === 'restore') await sandbox.restore(name!)
    const snapshots = await sandbox.snapshots()
    return {
      lines: [
        ...(action === 'take' ? ['The snapshot was taken.'] : []),
        ...(action === 'restore' ? ['The snapshot was restored. Events have new numbers.'] : []),
        snapshots.length === 0 ? 'There are no snapshots.' : 'Snapshots. Their names are in the data below.',
        ...snapshots.map(snapshotLine),
      ],
      inspector: inspector.screen('sandbox'),
      untrusted: Object.fromEntries(
        snapshots.map((snapshot, index) => [`snapshot ${index + 1}`, { name: snapshot.name }]),
      ),
    }
  },
})

const snapshotLine = ({ takenAt, links, problem }: SnapshotView, index: number): string =>
  problem === null
    ? `Snapshot ${index + 1}: taken ${takenAt}, ${plural(links ?? 0, 'link')}`
    : `Snapshot ${index + 1}: it cannot be restored`
