import { maskSecret } from '../secrets/mask.ts'
import { nearestName } from '../text/closest-match.ts'
import { truncate } from '../text/truncate.ts'
import type { CallFacts } from './call-facts.ts'
import { diagnoseIf, type Overrides } from './diagnose-if.ts'
import type { Diagnostic } from './diagnostic.ts'

/** Diagnoses the operation, the method, the key and the type of the body. */
export function diagnoseRequest({
  method,
  operation,
  operations,
  token,
  hasAuthorization,
  keyHeader,
  key,
  mediaType,
  compression,
  body,
  isForm,
  jsonError,
}: CallFacts): Diagnostic[] {
  const isKnown = operations.includes(operation)
  return [
    ...diagnoseIf(
      !isKnown,
      'wrongOperation',
      () => `${truncate(operation, 100) || 'none'}${nearestName(operation, operations)}`,
    ),
    ...diagnoseIf(isKnown && method !== 'POST', 'wrongMethod', () => method),
    ...diagnoseIf(
      token === '' && hasAuthorization,
      'keyInAuthorization',
      () => 'the header Authorization and no token',
    ),
    ...diagnoseIf(
      token === '' && keyHeader !== undefined,
      'keyInOtherHeader',
      () => `the header ${keyHeader} and no token`,
    ),
    ...diagnoseIf(token !== '' && key === 'unknown', 'unknownKey', () => `the key ${maskSecret(token)}`),
    ...diagnoseIf(key === 'production', 'keyOfOtherEnvironment', () => 'the key of a production account'),
    ...diagnoseIf(
      key === 'recipient-token',
      'recipientTokenAsKey',
      () => 'a recipient token in the header token',
    ),
    ...diagnoseIf(
      isKnown && compression !== undefined,
      'encodedBody',
      () => compression!,
      body === undefined ? {} : NOT_COMPRESSED,
    ),
    ...diagnoseIf(
      isKnown && method === 'POST' && body === undefined && compression === undefined,
      'notJson',
      () => jsonError?.message ?? (mediaType || 'no Content-Type'),
      jsonError === undefined ? {} : jsonError.code === 'bodyNotObject' ? NOT_OBJECT : BROKEN_JSON,
    ),
    ...diagnoseIf(isForm && body !== undefined, 'formBody', () => mediaType),
  ]
}

const NOT_COMPRESSED: Overrides = {
  severity: 'warning',
  title: 'The header says that the body is compressed, but it is not',
  fix: 'Leave the header Content-Encoding out. A service that decompresses bodies would refuse this one.',
}

const BROKEN_JSON: Overrides = {
  title: 'The body cannot be read as JSON',
  expected: 'a JSON object',
  fix: 'Write the body with a JSON encoder. The Content-Type is right, but the body is not valid JSON.',
}

const NOT_OBJECT: Overrides = {
  title: 'The body is JSON, but not an object',
  expected: 'a JSON object, {} without fields',
  fix: 'Send the fields as an object: {"amount": 10}, or {} without fields. [] is an empty list. In PHP, json_encode([]) writes [], and json_encode((object) $fields) writes an object, or {} if $fields is empty.',
}
