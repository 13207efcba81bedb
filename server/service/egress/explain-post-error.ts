import { maxHeaderSize } from 'node:http'
import { tlsProblemOf } from '../../domain/network/tls-problem.ts'
import type { AttemptErrorCode } from '../../domain/webhooks/delivery-values.ts'

export interface PostError {
  readonly errorCode: AttemptErrorCode
  readonly error: string
}

const postError = (errorCode: AttemptErrorCode, error: string): PostError => ({ errorCode, error })

/**
 * Explains why a POST got no answer, or only a part of it if the answer `hasBegun`. `isConnected`: the connection was
 * ready for the request.
 */
export function explainPostError(
  error: unknown,
  url: URL,
  timeoutMs: number,
  { hasBegun, isConnected }: { readonly hasBegun: boolean; readonly isConnected: boolean },
): PostError {
  if (!(error instanceof Error)) return postError('other', String(error))
  const cause = error instanceof AggregateError ? mostInformative(error.errors) : error
  const tlsProblem = tlsProblemOf(cause, url, isConnected)
  if (tlsProblem) return postError(tlsProblem.code, tlsProblem.what)
  // The code of a DOMException is a number, so its name is used.
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name
  switch (code) {
    case 'TimeoutError':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return hasBegun
        ? postError('answerIncomplete', `its answer did not end within ${timeoutMs / 1000} s`)
        : postError(
            'timeout',
            `no ${isConnected ? 'answer' : 'connection over TLS'} within ${timeoutMs / 1000} s`,
          )
    case 'ECONNREFUSED':
      return postError('connectionRefused', `connection refused, nothing listens on ${url.host}`)
    case 'ENOTFOUND':
      return postError('hostUnknown', `host ${url.hostname} is unknown`)
    case 'ECONNRESET':
    case 'EPIPE':
      return hasBegun
        ? postError('answerIncomplete', 'its answer was cut off')
        : postError('connectionClosed', 'connection closed before an answer came')
    case 'HPE_HEADER_OVERFLOW':
      return postError('answerInvalid', `the headers of its answer exceed ${maxHeaderSize / 1024} KiB`)
    default:
      if (code.startsWith('HPE_')) {
        const problem = cause?.message.replace(/^Parse Error: /, '')
        return postError('answerInvalid', `its answer is not valid HTTP: ${problem}`)
      }
      return postError(code === 'EHOSTUNREACH' ? 'hostUnreachable' : 'other', (cause ?? error).message)
  }
}

/**
 * The error of an address that refused. Other addresses may fail only because this machine lacks their address family.
 */
const mostInformative = (errors: readonly NodeJS.ErrnoException[]): Error | undefined =>
  errors.find(({ code }) => code === 'ECONNREFUSED') ?? errors[0]
