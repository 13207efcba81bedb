import { z } from 'zod'
import { plural } from '../../contract/format/values.ts'
import type { SnapshotView } from '../../contract/views.ts'
import type { ToolAnswer } from '../answer.ts'
import { createAction, createToolOf, type ToolContext } from '../tool.ts'

const name = z.string().meta({ description: 'For take and restore: small letters, digits and dashes.' })

export const useSnapshotTool = createToolOf({
  name: 'use_snapshot',
  title: 'Take, restore or list snapshots',
  description:
    'Saves the whole state of the sandbox under a name, or restores it: accounts, links, webhooks, events, faults, clock. Take a snapshot before a change that you may want to undo.',
  actions: {
    take: createAction({
      description: 'Saves the state under a name.',
      input: z.strictObject({
        name,
        replace: z.boolean().optional().meta({ description: 'Replaces an existing snapshot of this name.' }),
      }),
      effect: { kind: 'changes' },
      async run({ name: taken, replace }, context) {
        await context.sandbox.snapshot(taken, replace === undefined ? {} : { replace })
        return listSnapshots(context, 'The snapshot was taken.')
      },
    }),
    restore: createAction({
      description: 'Restores a snapshot, and discards everything that happened since.',
      input: z.strictObject({ name }),
      effect: { kind: 'changes', reachesApp: true },
      async run({ name: restored }, context) {
        await context.sandbox.restore(restored)
        return listSnapshots(context, 'The snapshot was restored. Events have new numbers.')
      },
    }),
    list: createAction({
      description: 'Lists the snapshots.',
      input: z.strictObject({}),
      effect: { kind: 'reads' },
      run: async (_input, context) => listSnapshots(context),
    }),
  },
})

async function listSnapshots({ sandbox, inspector }: ToolContext, ...done: string[]): Promise<ToolAnswer> {
  const snapshots = await sandbox.snapshots()
  return {
    lines: [
      ...done,
      snapshots.length === 0 ? 'There are no snapshots.' : 'Snapshots. Their names are in the data below.',
      ...snapshots.map(snapshotLine),
    ],
    inspector: inspector.screen('sandbox'),
    untrusted: Object.fromEntries(
      snapshots.map((snapshot, index) => [`snapshot ${index + 1}`, { name: snapshot.name }]),
    ),
  }
}

const snapshotLine = ({ takenAt, links, problem }: SnapshotView, index: number): string =>
  problem === null
    ? `Snapshot ${index + 1}: taken ${takenAt}, ${plural(links ?? 0, 'link')}`
    : `Snapshot ${index + 1}: it cannot be restored`
