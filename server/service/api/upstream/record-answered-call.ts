import { limitDifferences } from '../../../domain/api/compare-answers.ts'
import { compareExchange } from '../../../domain/api/compare-exchange.ts'
import type { EventOf } from '../../../domain/events/event.ts'
import type { Exchange, Response } from '../../../domain/http/exchange.ts'
import { keysIn, type Mask } from '../../../domain/secrets/mask.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { roundMs } from '../../../domain/time/berlin-time.ts'
import { createTurns } from '../../../platform/system/turns.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { maskOfAccounts } from '../../operations/accounts/account-mask.ts'
import type { Call } from '../call.ts'
import { answerInSandbox } from './answer-in-sandbox.ts'
import { readVerdict, type AnsweredCall, type UpstreamOutcome } from './answered-call.ts'

const MAX_MESSAGE_LENGTH = 1_000
const MAX_DIFFERENCES = 20
const MAX_DIFFERENCE_LENGTH = 500

/** Whether the sandbox would have responded differently, or why this is unknown. */
export interface ComparisonOutcome {
  readonly isDifferent: boolean
  readonly comparisonSkipped: string | undefined
}

/** Records a call that the real service has answered, together with the response that the sandbox would have given. */
export async function recordAnsweredCall(
  work: UnitOfWork,
  call: Call,
  { upstream, response, failure, undecoded, ms, at, imported }: AnsweredCall,
  onError: (error: unknown) => void,
): Promise<ComparisonOutcome> {
  // Masked before recording: a response can repeat a key, and the message and the differences quote parts of the key that no
  // export would recognize.
  const mask = await maskOfAccounts(work, keysIn(call.headers))
  const masked = response && (await mask.response(response, createTurns()))
  const verdict = readVerdict(masked, undecoded)
  const comparisonSkipped = masked && !failure ? whyNotComparable(call, masked, undecoded) : undefined
  const sandbox =
    masked === null || failure || comparisonSkipped !== undefined
      ? undefined
      : await compare(work, call, masked, verdict, mask, onError)

  // Stored after the comparison, because the comparison rolls back everything that was written before.
  const account = await accounts.withApiKey(work.db, call.token)
  if (!account) await accounts.addFormerKeys(work.db, keysIn(call.headers))
  const status = response?.status ?? 0
  const event: EventOf<'api.request' | 'api.limited'> = {
    type: status === 429 ? 'api.limited' : 'api.request',
    accountId: account?.id ?? null,
    // Without a link id, because in this sandbox the id may belong to a different link.
    linkId: null,
    payId: null,
    operation: call.operation,
    method: call.method,
    path: call.path,
    status,
    code: verdict.code,
    message: truncate(verdict.message, MAX_MESSAGE_LENGTH),
    ...(failure && { errorCode: failure.code, upstreamError: failure.error }),
    ms: roundMs(ms),
    assumed: [],
    upstream,
    ...sandbox?.comparison,
    ...(comparisonSkipped !== undefined && { comparisonSkipped }),
    ...(imported !== undefined && { imported }),
  }
  const sandboxResponse = sandbox?.response
  const exchange = { request: requestOf(call), response, ...(sandboxResponse && { sandboxResponse }) }
  await work.record(event, exchange, at)
  return {
    isDifferent: event.differences !== undefined && event.differences.length > 0,
    comparisonSkipped: event.comparisonSkipped ?? (sandbox ? undefined : 'There is no complete answer.'),
  }
}

/** Why a response cannot be compared, for example because its body was not recorded. */
function whyNotComparable(
  { method, body }: Call,
  response: Response,
  undecoded?: string,
): string | undefined {
  if (undecoded !== undefined) {
    return `The sandbox cannot decode the answer. Its content encoding is ${truncate(undecoded, 100)}.`
  }
  if (response.body.isOmitted) return 'The HAR file does not contain the body of the answer.'
  if (body.encoded.isOmitted) return 'The HAR file does not contain the body of the request.'
  if (method === 'HEAD') return 'The answer to a HEAD request has no body.'
  return undefined
}

const requestOf = ({ method, url, headers, body }: Call): Exchange['request'] => ({
  method,
  url,
  headers,
  body: body.encoded,
})

type ComparedFields = Pick<EventOf<'api.request'>, 'differences' | 'comparisonSkipped'>

/** Computes the sandbox's own response and compares the two. If this fails, the call is recorded without a comparison. */
async function compare(
  work: UnitOfWork,
  call: Call,
  masked: Response,
  verdict: UpstreamOutcome,
  mask: Mask,
  onError: (error: unknown) => void,
): Promise<{ readonly comparison: ComparedFields; readonly response?: Response }> {
  try {
    const response = await answerInSandbox(work, call, masked.status, verdict)
    const comparison = compareExchange(call.operation, {
      request: requestOf(call),
      response: masked,
      sandboxResponse: await mask.response(response),
    })
    if ('comparisonSkipped' in comparison) return { comparison, response }
    const differences = limitDifferences(comparison.differences, MAX_DIFFERENCES).map(({ text }) =>
      truncate(text, MAX_DIFFERENCE_LENGTH),
    )
    return { comparison: { differences }, response }
  } catch (error) {
    onError(error)
    return { comparison: { comparisonSkipped: 'The sandbox failed to answer this call.' } }
  }
}
