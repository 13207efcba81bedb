import { z } from 'zod'
import type { ClockView } from '../views.ts'
import { instant, schemaFor } from './fields.ts'

export const clockMode = z.enum(['running', 'frozen'])

export const ClockSchema = schemaFor<ClockView>()(
  z
    .object({
      now: instant.meta({ description: 'The current time of the clock.' }),
      mode: clockMode,
      offsetMs: z.number().meta({ description: "How many milliseconds it is ahead of the machine's clock." }),
      serverTime: z
        .string()
        .meta({ description: 'The same time in the Berlin time zone, in the format of the service.' }),
      zone: z.string().meta({ description: 'The time zone: `CET` or `CEST`.' }),
    })
    .meta({ id: 'Clock', description: "The sandbox's clock." }),
)
