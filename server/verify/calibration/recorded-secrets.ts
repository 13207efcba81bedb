import type { RecordedCall } from './judge-recording.ts'
import type { RecordedExchange } from '../../domain/har/read-har.ts'
import { decodeBody, textBody } from '../../domain/http/exchange.ts'
import { keysIn, type Mask } from '../../domain/secrets/mask.ts'
import { decodeForm } from '../../domain/http/form.ts'
import { isObject, isRecord } from '../../domain/text/is-object.ts'
import { INVENTED_SECRETS } from './probes.ts'
import type { KnownSecret } from './pseudonyms.ts'

/** Shorter values are not keys, and could be part of any text. */
const MIN_LENGTH = 8

/** The keys and recipient tokens of recorded calls, each once. */
export function secretsIn(calls: readonly RecordedExchange[]): KnownSecret[] {
  const found = calls.flatMap(({ exchange: { request } }) => [
    ...keysIn(request.headers).map((secret) => ({ kind: 'key', secret })),
    ...recipientTokens(request).map((secret) => ({ kind: 'recipient', secret })),
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
export function maskCall(call: RecordedCall, mask: Mask): RecordedCall {
  const { request, answer, sandboxAnswer } = call
  const { method, url, headers, body } = mask.exchange({
    request: { ...request, url: request.path, body: textBody(request.body) },
    response: null,
  }).request
  return {
    ...call,
    request: { method, path: url, headers, body: body.content },
    answer: answer && mask.response(answer),
    sandboxAnswer: sandboxAnswer && mask.response(sandboxAnswer),
    differences: call.differences.map(mask.text),
  }
}
