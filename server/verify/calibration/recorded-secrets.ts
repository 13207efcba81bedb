import { readFields, recipientTokensIn } from '../../domain/api/read-request.ts'
import type { RecordedExchange } from '../../domain/har/read-har.ts'
import { keysIn } from '../../domain/secrets/mask.ts'
import { INVENTED_SECRETS } from './probes.ts'
import type { KnownSecret } from './pseudonyms.ts'

/** Shorter values are not keys, and could be part of any text. */
const MIN_LENGTH = 8

/** The keys and recipient tokens of recorded calls, each once. */
export function secretsIn(calls: readonly RecordedExchange[]): KnownSecret[] {
  const secrets = calls.flatMap(({ exchange: { request } }) => [
    ...keysIn(request.headers).map((secret) => ({ kind: 'key', secret })),
    ...recipientTokensIn(readFields(request.body)).map((secret) => ({ kind: 'recipient', secret })),
  ])
  const bySecret = new Map(secrets.toReversed().map((one) => [one.secret, one]))
  return [...bySecret.values()].filter(
    ({ secret }) => secret.length >= MIN_LENGTH && !INVENTED_SECRETS.has(secret),
  )
}
