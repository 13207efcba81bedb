import { tlsProblemCodes } from '../network/tls-problem.ts'

/**
 * `planned`: a step of the plan of notifications starts it later. `stored`: a tunnel of the sandbox has it, and no listener has
 * taken it.
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
 * The states that users see. `planned` and `underway` are shown as `pending`, and `stored` as `delivered`, with the tunnel
 * beside it.
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
