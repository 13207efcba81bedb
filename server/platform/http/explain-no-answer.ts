import { maxHeaderSize } from 'node:http'
import { tlsProblemOf } from '../../domain/network/tls-problem.ts'
import type { AttemptErrorCode } from '../../domain/webhooks/delivery-values.ts'

export interface NoAnswer {
  readonly errorCode: AttemptErrorCode
  readonly error: string
}

const noAnswer = (errorCode: AttemptErrorCode, error: string): NoAnswer => ({ errorCode, error })

/**
 * Explains why a request got no response. `hasBegun` means that a part of the response has arrived, `isConnected` that the
 * connection was open.
 */
export function explainNoAnswer(
  error: unknown,
  url: URL,
  timeoutMs: number,
  { hasBegun, isConnected }: { readonly hasBegun: boolean; readonly isConnected: boolean },
): NoAnswer {
  if (!(error instanceof Error)) return noAnswer('other', String(error))
  const cause = error instanceof AggregateError ? mostInformative(error.errors) : error
  const tlsProblem = tlsProblemOf(cause, url, isConnected)
  if (tlsProblem) return noAnswer(tlsProblem.code, tlsProblem.what)
  // The code of a DOMException is a number, so its name is used.
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name
  switch (code) {
    case 'TimeoutError':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return hasBegun
        ? noAnswer('answerIncomplete', `its answer did not end within ${timeoutMs / 1000} s`)
        : noAnswer(
            'timeout',
            `no ${isConnected ? 'answer' : 'connection over TLS'} within ${timeoutMs / 1000} s`,
          )
    case 'ECONNREFUSED':
      return noAnswer('connectionRefused', `connection refused, nothing listens on ${url.host}`)
    case 'ENOTFOUND':
      return noAnswer('hostUnknown', `host ${url.hostname} is unknown`)
    case 'ECONNRESET':
    case 'EPIPE':
      return hasBegun
        ? noAnswer('answerIncomplete', 'its answer was cut off')
        : noAnswer('connectionClosed', 'connection closed before an answer came')
    case 'HPE_HEADER_OVERFLOW':
      return noAnswer('answerInvalid', `the headers of its answer exceed ${maxHeaderSize / 1024} KiB`)
    default:
      if (code.startsWith('HPE_')) {
        const problem = cause?.message.replace(/^Parse Error: /, '')
        return noAnswer('answerInvalid', `its answer is not valid HTTP: ${problem}`)
      }
      return noAnswer(code === 'EHOSTUNREACH' ? 'hostUnreachable' : 'other', (cause ?? error).message)
  }
}

/**
 * Chooses the error of an address that refused the connection. Other addresses may fail only because this machine does not
 * support their address family.
 */
const mostInformative = (errors: readonly NodeJS.ErrnoException[]): Error | undefined =>
  errors.find(({ code }) => code === 'ECONNREFUSED') ?? errors[0]
