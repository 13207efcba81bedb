import { CONNECTION_REFUSED, NO_ANSWER_WITHIN } from '../domain/webhooks/delivery.ts'

/** Says in plain words why a POST got no answer, or, once the answer `hasBegun`, only a part of it. */
export function explainPostError(error: unknown, url: URL, timeoutMs: number, hasBegun: boolean): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error instanceof AggregateError ? mostTelling(error.errors) : error
  // The code of a DOMException is a number, so its name is used.
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name
  switch (code) {
    case 'TimeoutError':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${hasBegun ? 'its answer did not end within' : NO_ANSWER_WITHIN} ${timeoutMs / 1000} s`
    case 'ECONNREFUSED':
      return `${CONNECTION_REFUSED}, nothing listens on ${url.host}`
    case 'ENOTFOUND':
      return `host ${url.hostname} is unknown`
    case 'ECONNRESET':
    case 'EPIPE':
      return hasBegun ? 'its answer was cut off' : 'connection closed before an answer came'
    case 'HPE_HEADER_OVERFLOW':
      return 'the headers of its answer exceed 16 KiB'
    default:
      if (code.startsWith('HPE_')) {
        return `its answer is not valid HTTP: ${cause?.message.replace(/^Parse Error: /, '')}`
      }
      return cause instanceof Error ? cause.message : error.message
  }
}

/** The error of the address that refused. The others may only be of a family that this machine does not have. */
const mostTelling = (errors: readonly NodeJS.ErrnoException[]): Error | undefined =>
  errors.find(({ code }) => code === 'ECONNREFUSED') ?? errors[0]
