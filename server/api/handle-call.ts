import type { Account } from '../domain/accounts/account.ts'
import type { ActiveBehaviors, BehaviorSettings } from '../domain/behaviors/behavior.ts'
import * as faults from '../store/repositories/faults.ts'
import type { Store, UnitOfWork } from '../store/store.ts'
import type { Call, CallResponse } from './call.ts'
import { type Envelope, type Success, success, failure } from './envelope.ts'
import { diagnose } from './diagnose.ts'
import { applyResponseFault, isInstead, textInstead, textSent } from './apply-response-fault.ts'
import type { Subject } from '../domain/links/subject.ts'
import type { SandboxEvent } from '../domain/events/event.ts'
import { roundMs, type Instant } from '../domain/time/time.ts'
import {
  ApiError,
  isDocumented,
  type MessagesByErrorKind,
  messages,
  type ApiErrorKind,
} from '../domain/api/api-error.ts'
import { findAccountByToken, authenticate } from './authenticate.ts'
import { activeBehaviors } from '../operations/caller.ts'
import { retryAfterSeconds } from './rate-limit.ts'
import { endpoints } from './endpoints.ts'
import { truncate } from '../domain/text/truncate.ts'
import { operations } from '../domain/api/operations.ts'
import { type Exchange, textBody, encodeBody } from '../domain/http/exchange.ts'
import type { Diagnostic } from '../domain/diagnostics/diagnostic.ts'
import { databaseTroubleOf } from '../store/sqlite/database-error.ts'

/** What became known about a call before it was answered. A refusal leaves it as it is. */
interface CallState {
  account: Account | undefined
  behaviors: ActiveBehaviors | undefined
  /** Seconds until the account may call again. */
  retryAfter: number
  /** What goes wrong with the call. Kept when it is answered, as a refusal takes everything else back. */
  struck: faults.Strike<'api'> | undefined
}

/**
 * Answers one call. What an operation does and the record of the call become true together; a refusal
 * takes the operation back and leaves the record of itself.
 */
export async function handleCall(store: Store, call: Call): Promise<CallResponse> {
  const started = performance.now()
  const state: CallState = { account: undefined, behaviors: undefined, retryAfter: 0, struck: undefined }

  const finish = async (work: UnitOfWork, envelope: Envelope, status: number, answered?: Success) => {
    const { link, created } = answered ?? {}
    const { account, behaviors, struck } = state
    if (struck) await faults.saveStrikes(work.db, struck)
    const assumed = behaviors?.used ?? []
    const diagnostics = await diagnose(work, call, {
      account,
      requestBody: behaviors?.peek('requestBody') ?? 'json',
      numericStrings: behaviors?.peek('numericStrings') ?? 'refuse',
      isAboutLink: link !== undefined,
      created,
    })
    const text = JSON.stringify(envelope)
    const headers: Record<string, string> = {
      'content-type': 'application/json; charset=utf-8',
      ...(assumed.length > 0 ? { 'sandbox-assumed': assumed.join(', ') } : {}),
      ...(diagnostics.length > 0 ? { 'sandbox-diagnostics': codesOf(diagnostics) } : {}),
      ...(status === 429 ? { 'retry-after': String(state.retryAfter) } : {}),
    }
    const answer = applyResponseFault({ status, headers, text }, struck?.effect)
    const about: Subject = {
      accountId: account?.id ?? null,
      linkId: link?.id ?? null,
      payId: link?.payId ?? null,
    }
    const processingMs = performance.now() - started
    const event: SandboxEvent = {
      type: status === 429 ? 'api.limited' : 'api.request',
      ...about,
      operation: call.operation,
      method: call.method,
      path: call.path,
      status: answer.status,
      code: envelope.ResponseCode,
      message: envelope.ResponseMsg,
      ms: roundMs(processingMs + (answer.lateMs ?? 0)),
      processingMs: roundMs(processingMs),
      assumed,
      ...(struck?.mark === undefined ? {} : { fault: struck.mark }),
    }
    const of = await work.record(event, exchangeOf(call, answer))
    for (const found of diagnostics) {
      await work.record({ type: 'diagnostic.found', ...about, ...found, eventSeq: of })
    }
    return answer
  }

  return store.transact(async (work) => {
    try {
      const answer = await execute(work, call, state)
      return await finish(work, success(answer, work.now), 200, answer)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await work.rollback()
      const { effect } = state.struck ?? {}
      if (effect === undefined && !isDocumented(error.message)) state.behaviors?.markAssumptions('ownWording')
      const rests = effect === undefined || effect.kind === 'refuse' ? state.behaviors : undefined
      const status = statusOf(error.kind, rests?.use('errorStatus') ?? 'ok')
      return finish(work, failure(error.message, work.now), status)
    }
  })
}

/** What is refused before an endpoint is asked. */
export const callErrors: MessagesByErrorKind = { limited: [messages.tooManyRequests('60/min')] }

async function execute(work: UnitOfWork, call: Call, findings: CallState): Promise<Success> {
  const account = await findAccountByToken(work, call.token)
  findings.account = account
  const behaviors = await activeBehaviors(work, account?.id)
  findings.behaviors = behaviors
  if (account?.environment === 'development') {
    findings.retryAfter = await retryAfterSeconds(work, { account, behaviors })
    if (findings.retryAfter > 0)
      throw new ApiError('limited', messages.tooManyRequests(behaviors.use('rateLimit')))
  }

  const struck = await faults.previewFault(work.db, {
    on: 'api',
    accountId: account?.id ?? null,
    operation: call.operation,
  })
  findings.struck = struck
  if (struck.effect && isInstead(struck.effect)) throw new ApiError('invalid', textInstead(struck.effect))

  const endpoint = endpoints.get(call.operation)
  if (!endpoint) {
    const name = truncate(call.operation, 100)
    throw new ApiError('not-found', messages.operationUnknown(name, operations))
  }
  if (call.method !== 'POST') throw new ApiError('not-found', messages.methodNotPost(call.method))
  const caller = { account: authenticate(account, call.token, call.operation, behaviors), behaviors }
  return endpoint.answer({ work, caller, baseUrl: call.baseUrl }, call.body)
}

/** A reset reaches nobody, and a cut answer only in part. */
function responseOf(answer: CallResponse): Exchange['response'] {
  const sent = textSent(answer)
  if (sent === null) return null
  const body = textBody(sent)
  const { status, headers, text } = answer
  return {
    status,
    headers: Object.entries(headers),
    body: sent === text ? body : { ...body, size: Buffer.byteLength(text) },
  }
}

const codesOf = (diagnostics: readonly Diagnostic[]): string =>
  [...new Set(diagnostics.map(({ code }) => code))].join(', ')

export const HTTP_STATUS: Readonly<Record<ApiErrorKind, number>> = {
  unauthenticated: 401,
  'not-found': 404,
  conflict: 409,
  invalid: 422,
  limited: 429,
}

const statusOf = (kind: ApiErrorKind, errorStatus: BehaviorSettings['errorStatus']): number =>
  errorStatus === 'http' || kind === 'limited' ? HTTP_STATUS[kind] : 200

const exchangeOf = (call: Call, answer: CallResponse): Exchange => ({
  request: { method: call.method, url: call.url, headers: call.headers, body: encodeBody(call.body.bytes) },
  response: responseOf(answer),
})

/** Only for what should never happen: the sandbox itself failed. Nothing of the call is kept then. */
export function internalError(error: unknown, now: Instant): CallResponse {
  const trouble = databaseTroubleOf(error)
  const message = trouble
    ? `Nothing was done: the sandbox cannot use its database, ${trouble.what}. ${trouble.advice}, then call again`
    : 'The sandbox failed, its log says why'
  return {
    status: 500,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify(failure(message, now)),
  }
}
