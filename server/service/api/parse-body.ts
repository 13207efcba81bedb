import type { z } from 'zod'
import { ApiError, apiError, errorDetails } from '../../domain/api/api-error.ts'
import { listObjects } from '../../domain/api/list-objects.ts'
import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import { coerceBody } from './coerce-body.ts'
import type { Endpoint } from './endpoint.ts'
import { printable, type RawBody } from './raw-body.ts'
import { refusalOf } from './refuse.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The errors about a body as a whole. */
export const bodyErrors = [
  errorDetails('contentTypeNotJson', 'text/plain'),
  errorDetails('bodyTooLarge'),
  errorDetails('bodyNotUtf8'),
  errorDetails('bodyEncoded', 'Content-Encoding: gzip'),
  errorDetails('bodyTooDeep'),
  errorDetails('bodyNotJson', 'Unexpected end of JSON input'),
  errorDetails('bodyNotObject'),
]

/** Parses a body with the schema of its endpoint. Throws the `ApiError` of the first wrong field. */
export function parseBody(
  raw: RawBody,
  endpoint: Endpoint,
  behaviors: ActiveBehaviors,
): z.output<Endpoint['body']> {
  const { body: schema, fields } = endpoint
  const body = readObject(raw, endpoint, behaviors)
  for (const object of listObjects(body, fields.names)) {
    if (Object.keys(object.fields).some((name) => !object.knownNames.has(name)))
      behaviors.markAssumptions('unknownFields')
  }
  try {
    return schema.parse(body)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (countWrongFields(schema, body) > 1) behaviors.markAssumptions('checkOrder')
    // The schema does not look up tokens, so here this error can only mean a missing token.
    if (error.details.code === 'recipientUnknown') behaviors.markAssumptions('ownWording')
    throw error
  }
}

const countWrongFields = (schema: z.ZodObject, body: object): number =>
  Object.entries(schema.shape as Record<string, z.ZodType>).filter(
    ([name, type]) => refusalOf(type, Reflect.get(body, name)) !== undefined,
  ).length

function readObject(
  raw: RawBody,
  { fields, acceptsEmptyBody }: Endpoint,
  behaviors: ActiveBehaviors,
): object {
  if (raw.compression !== undefined) behaviors.markAssumptions('requestEncoding')
  raw.assertText()
  const { mediaType } = raw
  if (mediaType !== 'application/json') {
    const accepted = behaviors.dependOn('requestBody')
    if (mediaType === FORM_TYPE && accepted !== 'json') {
      const { body, isForm } = raw.readForm(accepted)
      return coerceBody(body, fields, isForm, behaviors)
    }
    throw apiError('contentTypeNotJson', printable(mediaType))
  }
  if (raw.isEmpty && acceptsEmptyBody) {
    behaviors.markAssumptions('emptyBody')
    return {}
  }
  return coerceBody(raw.json, fields, false, behaviors)
}
