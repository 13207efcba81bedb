import { z } from 'zod'
import { readonlyList } from './fields.ts'

export const MapSchema = z
  .strictObject({
    from: z
      .string()
      .meta({ description: 'An origin, or all origins below a domain, like `https://*.example.com`.' }),
    to: z.string().meta({ description: 'The address that gets the requests for that origin.' }),
  })
  .meta({ id: 'Map', description: 'A rule that sends the requests for an origin to another address.' })

export const mappedTo = z.string().optional().meta({
  description: 'The address that replaces it because of a map. Missing if no map applies.',
})

/** Warnings about a new rule that has no effect or affects too much. */
export const ruleWarnings = readonlyList(z.string()).meta({
  description: 'Warnings: entries that did not exist, or rules that allow more than you probably intend.',
})

export const allowedCount = z.int().meta({ description: 'How many held webhooks are sent now.' })
