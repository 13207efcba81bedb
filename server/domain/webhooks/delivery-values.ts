import { tlsProblemCodes } from '../network/tls-problem.ts'

/**
 * `planned`: a step of the plan of notifications starts the delivery later. `stored`: a tunnel of the sandbox has the webhook,
 * but no listener has fetched it.
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
 * The states that users see. `planned` and `underway` are shown as `pending`. `stored` is shown as `delivered`, with the name
 * of the tunnel.
 */
export type ShownDeliveryState = Exclude<DeliveryState, 'planned' | 'underway' | 'stored'>

/** Why the webhook exists. `duplicate`: a fault has copied it. `forged`: the user has requested it without an outcome. */
export type DeliveryCause = 'outcome' | 'resend' | 'replay' | 'duplicate' | 'forged'

/** Why a POST got no response, or only a part of one. */
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
