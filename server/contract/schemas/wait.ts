import { z } from 'zod'
import { accountParam, wholeNumber } from './request-fields.ts'

export const MAX_WAIT_MS = 60_000

export const waitTimeoutMs = wholeNumber(0, MAX_WAIT_MS)
  .default(5_000)
  .meta({ description: 'How long to wait at most, in milliseconds.' })

/** The keys that an event must have, with their values. */
export const match = z.record(z.string(), z.unknown()).default({}).meta({
  description:
    'The keys that an event must have with equal values, at least one. The case of `status` is ignored.',
})

export const seqAfter = wholeNumber(0)
  .default(0)
  .meta({ description: 'Only events after this `seq`. By default, past events also count.' })

export const WaitBody = z
  .strictObject({
    match,
    count: wholeNumber(1, 1_000).default(1).meta({ description: 'How many events to wait for.' }),
    account: accountParam,
    after: seqAfter,
    timeoutMs: waitTimeoutMs,
  })
  .meta({ examples: [{ match: { type: 'sandbox.started' } }] })
