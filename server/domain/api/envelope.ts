interface EnvelopeText {
  readonly ResponseMsg: string
  readonly ServerTime: string
}

/** The service refused the call. `ResponseMsg` says why. */
interface RefusalEnvelope extends EnvelopeText {
  readonly ResponseCode: 0
  readonly Result: 'False'
  readonly data?: undefined
}

/** A response of the v2 API: a success with `Answer` (`ResponseCode` 1), or a refusal (`ResponseCode` 0). */
export type Envelope<Answer = { readonly data?: unknown; readonly totalRecords?: number }> =
  | (EnvelopeText & { readonly ResponseCode: 1; readonly Result: 'True' } & Answer)
  | RefusalEnvelope
