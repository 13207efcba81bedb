import { z } from 'zod'
import type { ClockView } from '../views.ts'
import { instant, schemaFor } from './fields.ts'

export const clockMode = z.enum(['running', 'frozen'])

export const ClockSchema = schemaFor<ClockView>()(
  z
    .object({
      now: instant.meta({ description: 'What the clock shows.' }),
      mode: clockMode,
      offsetMs: z.number().meta({ description: "How far it is ahead of the machine's." }),
      serverTime: z
        .string()
        .meta({ description: 'The same on the clock of Berlin, as the service writes it.' }),
      zone: z.string().meta({ description: '`CET` or `CEST`.' }),
    })
    .meta({ id: 'Clock', description: "The sandbox's clock." }),
)
