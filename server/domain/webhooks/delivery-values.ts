import { tlsProblemCodes } from '../network/tls-problem.ts'

/** `stored`: a tunnel of the sandbox has it, and no listener has taken it. */
export type DeliveryState = 'pending' | 'underway' | 'delivered' | 'stored' | 'failed' | 'held'

/** The states that users see. `underway` is shown as `pending`, and `stored` as `delivered`, with the tunnel beside it. */
export type ShownDeliveryState = Exclude<DeliveryState, 'underway' | 'stored'>

/**
 * Why the webhook exists. `duplicate`: copied by a fault. `forged`: requested by the user, not caused by an outcome.
 */
export type DeliveryCause = 'outcome' | 'resend' | 'replay' | 'duplicate' | 'forged'

/** Why a POST got no response or an incomplete one. */
export const attemptErrorCodes = [
  'connectionRefused',
  'hostUnknown',
  'hostUnreachable',
  'connectionClosed',
  'timeout',
  'answerIncomplete',
  'answerInvalid',
  ...tlsProblemCodes,
  'other',
] as const

export type AttemptErrorCode = (typeof attemptErrorCodes)[number]
