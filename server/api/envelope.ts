import { z } from 'zod'
import { berlinZone } from '../domain/time/time.ts'
import type { Link } from '../domain/links/link.ts'
import type { Instant } from '../domain/time/time.ts'

/** The envelope of every response. `Result` is text in the reference too. */
export interface Envelope {
  readonly ResponseCode: 0 | 1
  readonly ResponseMsg: string
  readonly Result: 'True' | 'False'
  readonly ServerTime: string
  readonly data?: unknown
  readonly totalRecords?: number
}

export const JSON_TYPE = 'application/json; charset=utf-8'

const serverTime = z.string().meta({ description: "The service's time zone.", examples: ['CET', 'CEST'] })

/** The schema of a successful response. */
export const successEnvelope = (message: string, fields: z.ZodRawShape) =>
  z.object({
    ResponseCode: z.literal(1).meta({ description: '1 for success.' }),
    ResponseMsg: z.literal(message).meta({ description: 'What was done.' }),
    Result: z.literal('True').meta({ description: 'Success, as text.' }),
    ServerTime: serverTime,
    ...fields,
  })

export const ErrorEnvelope = z
  .object({
    ResponseCode: z.literal(0).meta({ description: '0 for a refusal, whatever the HTTP status.' }),
    ResponseMsg: z.string().meta({ description: 'Why. The text is what tells one cause from another.' }),
    Result: z.literal('False').meta({ description: 'No success, as text.' }),
    ServerTime: serverTime,
  })
  .meta({ id: 'Refusal', description: 'The service turned the request down, and nothing was changed.' })

/** What an endpoint returns on success. */
export interface Success {
  readonly message: string
  readonly data?: unknown
  readonly totalRecords?: number
  /** The link that the call is about, for the journal. */
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
