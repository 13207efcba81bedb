import type { ErrorDetails } from '../../domain/api/api-error.ts'
import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import type { EventOf } from '../../domain/events/event.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import type { Subject } from '../../domain/links/subject.ts'
import { roundMs } from '../../domain/time/berlin-time.ts'
import * as faults from '../../store/repositories/faults.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { createResponse } from './create-response.ts'
import type { Call, CallContext, CallResponse, CallResult } from './call.ts'
import { diagnose } from './diagnose.ts'
import { JSON_TYPE } from './envelope.ts'

/** Builds the response of a call, and records the call, its response and its diagnostics in the journal. */
export async function recordCall(
  work: UnitOfWork,
  call: Call,
  { account, behaviors, retryAfter, fault }: CallContext,
  { status, envelope, error, success }: CallResult,
  startedMs: number,
): Promise<CallResponse> {
  if (fault) await faults.saveFaultCounts(work.db, fault)
  const { link, created } = success ?? {}
  const { used: assumed, confirmed } = behaviors
  const diagnostics = await diagnose(work, call, {
    account,
    settings: behaviors.settings,
    isAboutLink: link !== undefined,
    created,
  })
  const headers = createHeaders(error, { used: assumed, confirmed })
  if (diagnostics.length > 0) {
    headers['sandbox-diagnostics'] = [...new Set(diagnostics.map(({ code }) => code))].join(', ')
  }
  if (retryAfter > 0) headers['retry-after'] = String(retryAfter)
  const response = createResponse(status, headers, JSON.stringify(envelope), fault?.effect)
  const subject: Subject = {
    accountId: account?.id ?? null,
    linkId: link?.id ?? null,
    payId: link?.payId ?? null,
  }
  const processingMs = performance.now() - startedMs
  const event: EventOf<'api.request' | 'api.limited'> = {
    // A fault can also respond with 429, but such a call is an ordinary request.
    type: retryAfter > 0 ? 'api.limited' : 'api.request',
    ...subject,
    operation: call.operation,
    method: call.method,
    path: call.path,
    status: response.status,
    code: envelope.ResponseCode,
    message: envelope.ResponseMsg,
    ...(error === undefined ? {} : { errorCode: error.code }),
    ms: roundMs(processingMs + response.delayMs),
    processingMs: roundMs(processingMs),
    assumed,
    ...(fault?.mark === undefined ? {} : { fault: fault.mark }),
  }
  const eventSeq = await work.record(event, toExchange(call, response))
  for (const diagnostic of diagnostics) {
    await work.record({ type: 'diagnostic.found', ...subject, ...diagnostic, eventSeq })
  }
  return response
}

/** The header fields of a response, apart from those of faults, the rate limit and diagnostics. */
export const createHeaders = (
  error: ErrorDetails | undefined,
  { used, confirmed }: Pick<ActiveBehaviors, 'used' | 'confirmed'>,
): Record<string, string> => ({
  'content-type': JSON_TYPE,
  ...(used.length > 0 ? { 'sandbox-assumed': used.join(', ') } : {}),
  ...(confirmed.length > 0 ? { 'sandbox-confirmed': confirmed.join(', ') } : {}),
  ...(error === undefined ? {} : { 'sandbox-error': error.code }),
  ...(error?.field === undefined ? {} : { 'sandbox-error-field': error.field }),
})

/**
 * The part of a response that the caller gets: nothing if the connection is reset, only the beginning if the body is truncated.
 */
const toExchange = (call: Call, { status, headers, text, sent }: CallResponse): Exchange => ({
  request: { method: call.method, url: call.url, headers: call.headers, body: call.body.encoded },
  response:
    sent === null
      ? null
      : {
          status,
          headers: Object.entries(headers),
          body: { encoding: 'utf8', content: sent, size: Buffer.byteLength(text) },
        },
})
