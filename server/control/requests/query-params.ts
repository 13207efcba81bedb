import { z } from 'zod'

/** The `limit` of a list. */
export const limit = (byDefault: number, most = 1000) =>
  z.coerce
    .number({ error: `should be a whole number from 1 to ${most}` })
    .int()
    .min(1)
    .max(most)
    .default(byDefault)
    .meta({ description: `How many to return, at most ${most}.` })

export const seq = z.coerce.number({ error: 'should be a whole number' }).int().min(0)

/** A boolean in a query. Default: false. */
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

/** Reads an id in a path. `undefined` if it is not a number of at most 15 digits. */
export const parseId = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined
