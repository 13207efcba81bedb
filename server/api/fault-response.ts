import { truncate } from '../domain/text/truncate.ts'
import type { ApiEffect } from '../domain/faults/fault-effect.ts'
import type { CallResponse } from './call.ts'

/** Whether a fault replaces the call, so that the operation does not run. */
export const replacesCall = (effect: ApiEffect): boolean =>
  effect.kind === 'status' || effect.kind === 'refuse' || ('skipsCall' in effect && effect.skipsCall)

/** What the journal says about a call that a fault replaced. */
export const replacementMessage = (effect: ApiEffect): string =>
  effect.kind === 'refuse'
    ? effect.message
    : effect.kind === 'status'
      ? `HTTP ${effect.status}`
      : 'Nothing was done'

/** Builds the response, changed by the fault if there is one. `handle-call.ts` has decided which fault applies. */
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
    case 'status': {
      const page = errorPage(effect.status)
      return { ...response, status: effect.status, headers: HTML, text: page, sent: page }
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

const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** The page that a proxy shows if its service is down. It is not JSON, so a client that parses it fails. */
const errorPage = (status: number): string =>
  `<html>\n<head><title>${status}</title></head>\n<body><center><h1>${status}</h1></center></body>\n</html>\n`
