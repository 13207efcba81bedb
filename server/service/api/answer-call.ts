import {
  ApiError,
  apiError,
  errorDetails,
  type ApiErrorCode,
  isDocumented,
  type ErrorDetails,
  HTTP_STATUS,
  type ApiErrorKind,
} from '../../domain/api/api-error.ts'
import { operations } from '../../domain/api/operations.ts'
import type { ActiveBehaviors, BehaviorSettings } from '../../domain/behaviors/behavior.ts'
import type { FixedAssumptionName } from '../../domain/behaviors/open-points.ts'
import type { ApiEffect } from '../../domain/faults/fault-effect.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { activeBehaviors } from '../operations/accounts/caller.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as faults from '../../store/repositories/faults.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import { replacementMessage, replacesCall } from './create-response.ts'
import { authenticate } from './authenticate.ts'
import type { Call, CallContext, CallResponse, CallResult } from './call.ts'
import { endpoints } from './endpoints/all-endpoints.ts'
import { failure, success } from './envelope.ts'
import { parseBody } from './parse-body.ts'
import { retryAfterSeconds } from './rate-limit.ts'
import { recordCall } from './record-call.ts'

/**
 * Answers a call in one unit of work, so that the changes of the operation and the record of the call are committed together.
 * An API error rolls the operation back, but the call is still recorded. A fault is chosen before the operation runs, and its
 * counters are saved with the record.
 */
export function answerCall(store: Store, call: Call): Promise<CallResponse> {
  const startedMs = performance.now()
  return store.transact(async (work) => {
    const account = await accounts.withApiKey(work.db, call.token)
    const behaviors = await activeBehaviors(work, account?.id)
    const retryAfter =
      account?.environment === 'development' ? await retryAfterSeconds(work, { account, behaviors }) : 0
    // A call beyond the rate limit triggers no fault, and no fault counts it.
    const target = { on: 'api', accountId: account?.id ?? null, operation: call.operation } as const
    const fault = retryAfter > 0 ? undefined : await faults.previewFault(work.db, target)
    const context = { account, behaviors, retryAfter, fault }
    const result = await runCall(work, call, context)
    return recordCall(work, call, context, result, startedMs)
  })
}

/** The errors of every operation, which are checked before its own errors. */
export const callErrors = [errorDetails('tooManyRequests', '60/min')]

/** Runs the operation of a call, unless a fault replaces its result. */
export async function runCall(work: UnitOfWork, call: Call, context: CallContext): Promise<CallResult> {
  const { account, behaviors, retryAfter, fault } = context
  if (retryAfter > 0) {
    const error = errorDetails('tooManyRequests', behaviors.dependOn('rateLimit'))
    return errorResult(work, call, error, behaviors)
  }
  if (fault?.effect && replacesCall(fault.effect)) return replacement(work, fault.effect, behaviors)
  try {
    const endpoint = endpoints.get(call.operation)
    if (!endpoint) throw apiError('operationUnknown', truncate(call.operation, 100), operations)
    if (call.method !== 'POST') throw apiError('methodNotPost', call.method)
    const caller = { account: authenticate(account, call.token, call.operation, behaviors), behaviors }
    const body = parseBody(call.body, endpoint, behaviors)
    const result = await endpoint.answer({ work, caller, baseUrl: call.baseUrl }, body)
    const done = { message: endpoint.message, ...result }
    return { status: 200, envelope: success(done, work.now), success: done }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await work.rollback()
    return errorResult(work, call, error.details, behaviors)
  }
}

/**
 * For each of these errors, the open point that it depends on, because the reference does not have this limit, or does not say
 * which check comes first.
 */
const ASSUMED_BY_ERROR: { readonly [Code in ApiErrorCode]?: FixedAssumptionName } = {
  recipientUnknown: 'checkOrder',
  recipientIsOwner: 'checkOrder',
  shareNotPositive: 'checkOrder',
  shareDecimals: 'checkOrder',
  percentagesExceed: 'checkOrder',
  sharesExceed: 'checkOrder',
  linkUnknown: 'checkOrder',
  linkCancelled: 'checkOrder',
  refundRequested: 'checkOrder',
  refundDisputed: 'checkOrder',
  refundAmountInvalid: 'checkOrder',
  bodyTooLarge: 'bodyLimits',
  bodyTooDeep: 'bodyLimits',
  amountTooLarge: 'amountLimit',
  tooManyEntries: 'repeatedEntries',
  payIdsEmpty: 'resendAnswer',
  payIdInvalid: 'resendAnswer',
}

function errorResult(
  work: UnitOfWork,
  { operation }: Call,
  error: ErrorDetails,
  behaviors: ActiveBehaviors,
): CallResult {
  const { code, kind, message } = error
  if (!isDocumented(error, operation)) behaviors.markAssumptions('ownWording')
  const assumed = ASSUMED_BY_ERROR[code]
  if (assumed) behaviors.markAssumptions(assumed)
  const status = errorStatus(kind, behaviors.dependOn('errorStatus'))
  return { status, envelope: failure(message, work.now), error, success: undefined }
}

/**
 * The result of a call that a fault has replaced. The journal contains the fault's message. The caller gets the message only with
 * `refuse`.
 */
function replacement(work: UnitOfWork, effect: ApiEffect, behaviors: ActiveBehaviors): CallResult {
  const status = effect.kind === 'refuse' ? errorStatus('invalid', behaviors.dependOn('errorStatus')) : 200
  return { status, envelope: failure(replacementMessage(effect), work.now), success: undefined }
}

/** The HTTP status of an API error: 429 beyond the rate limit, otherwise 200 unless the behavior `errorStatus` is `http`. */
const errorStatus = (kind: ApiErrorKind, setting: BehaviorSettings['errorStatus']): number =>
  setting === 'http' || kind === 'limited' ? HTTP_STATUS[kind] : 200
