import { truncate } from '../../domain/text/truncate.ts'
import type { ApiEffect } from '../../domain/faults/fault-effect.ts'
import { FOREIGN_PAGE } from '../../platform/http/foreign-answer.ts'
import type { CallResponse } from './call.ts'
import type { Envelope } from '../../domain/api/envelope.ts'

/** Whether a fault replaces the call, so that the operation does not run. */
export const replacesCall = (effect: ApiEffect): boolean =>
  effect.kind === 'status' ||
  effect.kind === 'rate-limit' ||
  refusalMessage(effect) !== null ||
  ('skipsCall' in effect && effect.skipsCall)

/** The `ResponseMsg` of a fault that refuses a call. `null` if the fault does not refuse it. */
const refusalMessage = (effect: ApiEffect): string | null => ('message' in effect ? effect.message : null)

/** The message in the journal for a call that a fault has replaced. */
export const replacementMessage = (effect: ApiEffect): string =>
  refusalMessage(effect) ??
  (effect.kind === 'status'
    ? `HTTP ${effect.status}`
    : effect.kind === 'rate-limit'
      ? 'Too many requests'
      : 'Nothing was done')

/** Builds the response, and changes it if `answer-call.ts` has chosen a fault. */
export function createResponse(
  status: number,
  headers: Record<string, string>,
  text: string,
  effect: ApiEffect | undefined,
): CallResponse {
  const response = { status, headers, text, sent: text, delayMs: 0 }
  switch (effect?.kind) {
    case undefined:
    case 'refuse':
      return response
    case 'status':
      return withPage(response, effect.status, errorPage(effect.status))
    case 'html':
      return withPage(response, 200, MAINTENANCE_PAGE)
    case 'rate-limit': {
      const seconds = Math.ceil(effect.ms / 1000)
      return { ...response, status: 429, headers: { ...headers, 'retry-after': String(seconds) } }
    }
    case 'code-as-text': {
      const envelope = JSON.parse(text) as Envelope
      const changed = JSON.stringify({ ...envelope, ResponseCode: String(envelope.ResponseCode) })
      return { ...response, text: changed, sent: changed }
    }
    case 'latency':
      return { ...response, delayMs: effect.ms }
    case 'empty':
      return { ...response, text: '', sent: '' }
    case 'reset':
      return { ...response, sent: null }
    case 'truncate':
      return { ...response, sent: truncate(text, text.length / 2) }
  }
}

const withPage = (response: CallResponse, status: number, page: string): CallResponse => ({
  ...response,
  status,
  headers: HTML,
  text: page,
  sent: page,
})

const HTML = { 'content-type': 'text/html; charset=utf-8', ...Object.fromEntries(FOREIGN_PAGE) }

/** The page that a proxy shows if the service is down. Not JSON, so a client that expects JSON fails. */
const errorPage = (status: number): string =>
  `<html>\n<head><title>${status}</title></head>\n<body><center><h1>${status}</h1></center></body>\n</html>\n`

/**
 * The page of a service that is being updated. Its HTTP status is 200, so only the body says that the call was not carried out.
 */
const MAINTENANCE_PAGE =
  '<!doctype html>\n<html>\n<head><title>Maintenance</title></head>\n<body><h1>We will be back soon</h1></body>\n</html>\n'
