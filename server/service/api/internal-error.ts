import type { Instant } from '../../domain/time/berlin-time.ts'
import { databaseTroubleOf, failureStatus, isOutcomeUnknown } from '../../store/database-error.ts'
import { createResponse } from './fault-response.ts'
import type { CallResponse } from './call.ts'
import { failure, JSON_TYPE } from './envelope.ts'

/** The response to a call that the sandbox itself failed to handle. The call is not recorded. */
export function internalError(error: unknown, now: Instant): CallResponse {
  const trouble = databaseTroubleOf(error)
  const message = trouble
    ? `${isOutcomeUnknown(error) ? 'It is not known whether this was done' : 'Nothing was done'}: the sandbox cannot use its database, ${trouble.what}. ${trouble.advice}, then call again`
    : 'The sandbox failed. Its log has the reason'
  const { status, headers } = failureStatus(error)
  return createResponse(
    status,
    { 'content-type': JSON_TYPE, ...headers },
    JSON.stringify(failure(message, now)),
    undefined,
  )
}
