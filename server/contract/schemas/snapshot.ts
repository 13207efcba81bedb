import { z } from 'zod'
import type { SnapshotView } from '../views.ts'
import { instant, schemaFor } from './fields.ts'

export const SnapshotSchema = schemaFor<SnapshotView>()(
  z
    .object({
      name: z.string(),
      takenAt: instant
        .nullable()
        .meta({ description: "By the sandbox's clock then. Null where it cannot be read." }),
      size: z.int().meta({ description: 'In bytes.' }),
      problem: z.string().nullable().meta({ description: 'Why it cannot be restored.' }),
    })
    .meta({ id: 'Snapshot', description: 'Everything as it was at some moment.' }),
)
