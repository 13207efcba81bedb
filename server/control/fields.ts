import { z } from 'zod'
import { isHttpUrl } from '../domain/targets.ts'

/** Text that can be stored and sent as UTF-8. */
export const text = z.string().refine((value) => value.isWellFormed(), { error: 'is not valid Unicode' })

export const httpUrl = z.string().refine(isHttpUrl, { error: 'should be an absolute http or https URL' })

/** Whether an answer waits until its webhooks have settled, or comes once they are accepted. */
export const wait = z.enum(['settled', 'accepted']).default('settled')

export type Wait = z.output<typeof wait>
