import { z } from 'zod'
import { readonlyList } from './fields.ts'

export const MapSchema = z
  .strictObject({
    from: z.string().meta({ description: 'An origin, or every one below a domain.' }),
    to: z.string().meta({ description: 'Where what is meant for it goes.' }),
  })
  .meta({ id: 'Map', description: 'What is meant for an origin goes to another address.' })

export const mappedTo = z.string().optional().meta({
  description: 'Where a map leads in place of that. Missing where none does.',
})

/** What was asked for, and does nothing or a great deal. */
export const ruleWarnings = readonlyList(z.string()).meta({
  description: 'What was not there to begin with, or allows more than was likely meant.',
})

/** How many webhooks a rule has let out. */
export const releasedCount = z
  .int()
  .meta({ description: 'How many webhooks were held for want of it, and go now.' })
