import { z } from 'zod'
import type { Envelope } from '../../domain/api/envelope.ts'
import { berlinZone } from '../../domain/time/berlin-time.ts'
import type { Link } from '../../domain/links/link.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

const serverTime = z.string().meta({ description: "The service's time zone.", examples: ['CEST', 'CET'] })

/** The schema of a successful response. */
export const successEnvelope = (message: z.ZodType, fields: z.ZodRawShape) =>
  z.object({
    ResponseCode: z.literal(1).meta({ description: '1 for success.' }),
    ResponseMsg: message.meta({ description: 'The result as a message.' }),
    Result: z.literal('True').meta({ description: 'True as text, not as a boolean.' }),
    ServerTime: serverTime,
    ...fields,
  })

export const ErrorEnvelope = z
  .object({
    ResponseCode: z
      .literal(0)
      .meta({ description: '0 for an error. It does not depend on the HTTP status.' }),
    ResponseMsg: z
      .string()
      .meta({ description: 'The error message. Its exact text tells one error from another.' }),
    Result: z.literal('False').meta({ description: 'False as text, not as a boolean.' }),
    ServerTime: serverTime,
  })
  .meta({
    id: 'Error',
    description: 'The service rejected the request, and nothing was changed. There is no `data`.',
  })

/** What an endpoint returns on success. */
export interface Success {
  readonly message: string
  readonly data?: unknown
  readonly totalRecords?: number
  /** The link that the call concerns, for the journal. */
  readonly link?: Pick<Link, 'id' | 'payId'>
  /** The link that the call created. */
  readonly created?: Link
}

export const success = ({ message, data, totalRecords }: Success, now: Instant): Envelope => ({
  ResponseCode: 1,
  ResponseMsg: message,
  Result: 'True',
  ServerTime: berlinZone(now),
  ...(data === undefined ? {} : { data }),
  ...(totalRecords === undefined ? {} : { totalRecords }),
})

export const failure = (message: string, now: Instant): Envelope => ({
  ResponseCode: 0,
  ResponseMsg: message,
  Result: 'False',
  ServerTime: berlinZone(now),
})
