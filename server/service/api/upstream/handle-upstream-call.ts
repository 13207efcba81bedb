import { encodeBody, textBody, type Headers } from '../../../domain/http/exchange.ts'
import { formatMebibytes, MAX_BODY_BYTES } from '../../../domain/http/limits.ts'
import { forwardedResponseHeaders } from '../../../domain/http/proxy-headers.ts'
import { noSubject } from '../../../domain/links/subject.ts'
import { looksLikeProductionKey } from '../../../domain/network/production.ts'
import type { Upstream, UpstreamAnswer, UpstreamFailure } from '../../../domain/api/upstream.ts'
import { keysIn } from '../../../domain/secrets/mask.ts'
import { roundMs } from '../../../domain/time/berlin-time.ts'
import type { Store } from '../../../store/store.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import type { Call } from '../call.ts'
import { failure as errorEnvelope, JSON_TYPE } from '../envelope.ts'
import { recordAnsweredCall } from './record-answered-call.ts'

/** The response for the caller. */
interface Reply {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/**
 * Sends a call to the upstream, and records its response. Resolves when the record is durable. If recording fails, the caller
 * still gets the response, because the upstream has carried out the call.
 */
export async function handleUpstreamCall(
  store: Store,
  upstream: Upstream,
  call: Call,
  onError: (error: unknown) => void,
): Promise<Reply> {
  const started = performance.now()
  if (!upstream.allowProductionKey && (await isProductionKey(store, call.token))) {
    // Refuses a production key. The upstream would not accept it, but might write it to its logs.
    return refuse(store, upstream, call, started, {
      status: 403,
      errorCode: 'productionKey',
      reason: 'its key is a production key. Use a development key, or start with --allow-production-key',
    })
  }
  if (call.body.isTooLarge) {
    return refuse(store, upstream, call, started, {
      status: 413,
      errorCode: 'bodyTooLarge',
      reason: `its body is larger than ${formatMebibytes(MAX_BODY_BYTES)}`,
    })
  }
  const { method, path, headers, body } = call
  const result = await upstream.send({ method, path, headers, bytes: body.bytes })
  const reply =
    'answer' in result ? toReply(call, result.answer) : failedReply(upstream, result.failure, store)
  const content = 'answer' in result ? result.answer.content : reply.bytes
  const answered = {
    upstream: upstream.origin,
    response: {
      status: reply.status,
      headers: reply.headers,
      body: encodeBody(content.subarray(0, MAX_BODY_BYTES), content.length),
    },
    ...('failure' in result && {
      failure: { code: failureCode(result.failure), error: result.failure.error },
    }),
    undecoded: 'answer' in result ? result.answer.undecoded : undefined,
    ms: performance.now() - started,
  }
  await store.transact((work) => recordAnsweredCall(work, call, answered, onError)).catch(onError)
  return reply
}

const toReply = ({ method }: Call, { status, statusText, headers, bytes }: UpstreamAnswer): Reply => ({
  status,
  statusText,
  headers: forwardedResponseHeaders(headers, status, method, bytes.length),
  bytes,
})

/** Whether the upstream may have carried out a call that it did not answer. */
const isOutcomeUnknown = ({ errorCode }: UpstreamFailure): boolean =>
  ['connectionClosed', 'timeout', 'answerIncomplete', 'answerInvalid'].includes(errorCode)

const failureCode = ({ isTimeout }: UpstreamFailure): string =>
  isTimeout ? 'upstreamTimeout' : 'upstreamFailed'

function failedReply(upstream: Upstream, failure: UpstreamFailure, store: Store): Reply {
  const warning = isOutcomeUnknown(failure) ? '. It may have handled the call' : ''
  const message = `${upstream.origin} gave no complete answer: ${failure.error}${warning}`
  return ownReply(failure.isTimeout ? 504 : 502, failureCode(failure), message, store)
}

/** A response of the sandbox itself. */
function ownReply(status: number, errorCode: string, message: string, store: Store): Reply {
  const bytes = Buffer.from(JSON.stringify(errorEnvelope(message, store.now().toISOString())))
  const headers: Headers = [
    ['content-type', JSON_TYPE],
    ['sandbox-error', errorCode],
    ['content-length', String(bytes.length)],
  ]
  return { status, statusText: '', headers, bytes }
}

async function isProductionKey({ db }: Store, token: string): Promise<boolean> {
  if (token === '') return false
  const account = await accounts.withApiKey(db, token)
  return account === undefined ? looksLikeProductionKey(token) : account.environment === 'production'
}

interface UnsentCall {
  readonly status: number
  readonly errorCode: string
  readonly reason: string
}

/** Responds to a call and records it, without sending it to the upstream. */
async function refuse(
  store: Store,
  upstream: Upstream,
  call: Call,
  started: number,
  { errorCode, reason, ...refusal }: UnsentCall,
): Promise<Reply> {
  const message = `The call was not sent to ${upstream.origin}, because ${reason}`
  const reply = ownReply(refusal.status, errorCode, message, store)
  const { status, headers } = reply
  await store.transact(async (work) => {
    await accounts.addFormerKeys(work.db, keysIn(call.headers))
    const ms = roundMs(performance.now() - started)
    await work.record(
      {
        type: 'api.request',
        ...noSubject,
        operation: call.operation,
        method: call.method,
        path: call.path,
        status,
        code: 0,
        message,
        errorCode,
        ms,
        assumed: [],
      },
      {
        request: {
          method: call.method,
          url: call.url,
          headers: call.headers,
          body: call.body.encoded,
        },
        response: { status, headers, body: textBody(Buffer.from(reply.bytes).toString()) },
      },
    )
  })
  return reply
}
