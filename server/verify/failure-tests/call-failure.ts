import type { EventOf, RecordedEvent } from '../../domain/events/event.ts'
import type { Exchange, Headers } from '../../domain/http/exchange.ts'
import { fileNameOf, type FailureTest, type TestSandbox } from './failure-test.ts'

/** Turns a call of the API into a test that sends the call again, and expects a success. */
export function testOfCall(
  { seq, operation, status, message, accountId }: RecordedEvent<EventOf<'api.request' | 'api.limited'>>,
  { request }: Exchange,
  sandbox: TestSandbox,
): FailureTest {
  return {
    name: fileNameOf(`${operation}-${seq}`),
    title: `${operation} succeeds`,
    about: [`Call ${seq}: ${operation}`, 'Expected: ResponseCode 1', `Seen: HTTP ${status}, ${message}`],
    sandbox,
    steps: [
      { kind: 'call', request: { ...request, headers: withoutSecrets(request.headers, accountId !== null) } },
    ],
  }
}

/** Credentials that a proxy or a browser may have added. The API does not read them. */
const CREDENTIALS = /^(cookie|authorization|proxy-authorization)$/i

/**
 * The header fields without secrets, for a file that others will read. If the key belongs to no account of the sandbox, it may be
 * a real key.
 */
const withoutSecrets = (headers: Headers, isKnownKey: boolean): Headers =>
  headers
    .filter(([name]) => !CREDENTIALS.test(name))
    .map(([name, value]) => [name, isKnownKey || name.toLowerCase() !== 'token' ? value : 'unknown-key'])
