import type { RecordedCall } from './judge-recording.ts'
import type { RecordedExchange } from '../../domain/har/read-har.ts'
import { changeContent, decodeBody, findHeader, type Response } from '../../domain/http/exchange.ts'
import { decodeForm } from '../../domain/http/form.ts'
import { isObject, isRecord } from '../../domain/text/is-object.ts'
import { INVENTED_SECRETS } from './probes.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** Shorter values are not keys, and could be part of any text. */
const MIN_LENGTH = 8

export interface RecordedSecret {
  readonly kind: 'key' | 'recipient'
  readonly secret: string
}

/** The keys and recipient tokens of recorded calls, each once. */
export function secretsIn(calls: readonly RecordedExchange[]): RecordedSecret[] {
  const found = calls.flatMap(({ exchange: { request } }): RecordedSecret[] => [
    { kind: 'key', secret: findHeader(request.headers, 'token') ?? '' },
    ...recipientTokens(request).map((secret) => ({ kind: 'recipient' as const, secret })),
  ])
  const bySecret = new Map(found.toReversed().map((one) => [one.secret, one]))
  return [...bySecret.values()].filter(
    ({ secret }) => secret.length >= MIN_LENGTH && !INVENTED_SECRETS.has(secret),
  )
}

function recipientTokens({ body }: RecordedExchange['exchange']['request']): string[] {
  const { recipients } = readFields(new TextDecoder().decode(decodeBody(body)))
  return (isObject(recipients) ? Object.values(recipients) : []).flatMap((recipient: unknown) =>
    isRecord(recipient) && typeof recipient.token === 'string' ? [recipient.token] : [],
  )
}

/** The fields of a body, JSON or form. A wrong content type does not hide a secret. */
function readFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return decodeForm(text)
  }
}

/** A recorded call without its secrets. Texts that are cut or quoted later contain none. */
export function maskCall(call: RecordedCall, { text }: Pseudonyms): RecordedCall {
  const maskAnswer = <Answer extends Response | null>(answer: Answer): Answer =>
    answer && {
      ...answer,
      headers: answer.headers.map(([name, value]) => [name, text(value)]),
      body: changeContent(answer.body, text),
    }
  const { request, answer, sandboxAnswer } = call
  return {
    ...call,
    request: {
      ...request,
      path: text(request.path),
      headers: request.headers.map(([name, value]) => [name, text(value)]),
      body: text(request.body),
    },
    answer: maskAnswer(answer),
    sandboxAnswer: maskAnswer(sandboxAnswer),
    differences: call.differences.map(text),
  }
}
