import { truncate } from '../domain/text/truncate.ts'
import type { ApiEffect } from '../domain/faults/fault-effect.ts'
import type { CallResponse } from './call.ts'

/** Whether an effect comes instead of what the call asks for. */
export const isInstead = (effect: ApiEffect): boolean =>
  effect.kind === 'status' || effect.kind === 'refuse' || ('before' in effect && effect.before)

/** What the journal tells of a call that was not carried out. */
export const textInstead = (effect: ApiEffect): string =>
  effect.kind === 'refuse'
    ? effect.message
    : effect.kind === 'status'
      ? `HTTP ${effect.status}`
      : 'Nothing was done'

/** What goes back instead of an answer, or how. */
export function applyResponseFault(answer: CallResponse, effect: ApiEffect | undefined): CallResponse {
  switch (effect?.kind) {
    case 'status':
      return {
        ...errorPage(effect.status),
        headers: { 'content-type': 'text/html; charset=utf-8' },
      }
    case 'latency':
      return { ...answer, lateMs: effect.ms }
    case 'empty':
      return { ...answer, text: '' }
    case 'reset':
    case 'truncate':
      return { ...answer, breaks: effect.kind }
    default:
      return answer
  }
}

/** The bytes of an answer that reach the caller, `null` where none does. */
export function textSent({ text, breaks }: CallResponse): string | null {
  if (breaks === undefined) return text
  return breaks === 'reset' ? null : truncate(text, text.length / 2)
}

/** What a proxy shows whose service is away: no JSON, as whoever parses it will notice. */
const errorPage = (status: number) => ({
  status,
  text: `<html>\n<head><title>${status}</title></head>\n<body><center><h1>${status}</h1></center></body>\n</html>\n`,
})
