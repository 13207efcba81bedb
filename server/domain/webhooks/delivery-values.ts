import { tlsProblemCodes } from '../network/tls-problem.ts'

/**
 * A `planned` delivery is started later by a step of the plan of notifications. A `stored` one is in a tunnel of the sandbox, and
 * no listener has fetched it.
 */
export const deliveryStates = [
  'planned',
  'pending',
  'underway',
  'delivered',
  'stored',
  'failed',
  'held',
] as const

export type DeliveryState = (typeof deliveryStates)[number]

/**
 * The states that users see. `planned` and `underway` are shown as `pending`. `stored` is shown as `delivered`, together with the
 * tunnel.
 */
export type ShownDeliveryState = Exclude<DeliveryState, 'planned' | 'underway' | 'stored'>

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
