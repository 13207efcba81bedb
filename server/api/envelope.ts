import { berlinZone } from '../domain/time.ts'
import type { Instant } from '../domain/time.ts'

/** What every v2 answer looks like. `Result` is text, as the service has it. */
export interface Envelope {
  readonly ResponseCode: 0 | 1
  readonly ResponseMsg: string
  readonly Result: 'True' | 'False'
  readonly ServerTime: string
  readonly data?: unknown
  readonly totalRecords?: number
}

/** What an endpoint says on success. */
export interface Answer {
  readonly message: string
  readonly data?: unknown
  readonly totalRecords?: number
  /** The link it is about, for the journal. */
  readonly link?: { readonly id: number; readonly payId: number }
}

export const success = ({ message, data, totalRecords }: Answer, now: Instant): Envelope => ({
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
