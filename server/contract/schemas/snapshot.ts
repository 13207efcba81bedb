import { z } from 'zod'
import type { SnapshotView } from '../views.ts'
import { instant, schemaFor } from './fields.ts'

export const SnapshotSchema = schemaFor<SnapshotView>()(
  z
    .object({
      name: z.string(),
      takenAt: instant.nullable().meta({
        description: "When it was taken, by the sandbox's clock. Null if the snapshot cannot be read.",
      }),
      links: z
        .int()
        .nullable()
        .meta({ description: 'How many links it contains. Null if it cannot be restored.' }),
      size: z.int().meta({ description: 'The size in bytes.' }),
      problem: z.string().nullable().meta({ description: 'Why it cannot be restored. Null if it can.' }),
    })
    .meta({ id: 'Snapshot', description: 'A snapshot of the whole sandbox.' }),
)
