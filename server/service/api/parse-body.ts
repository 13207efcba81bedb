import type { z } from 'zod'
import { ApiError, apiError, errorDetails } from '../../domain/api/api-error.ts'
import { listObjects } from '../../domain/api/list-objects.ts'
import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import { isWholeCents, roundToCents } from '../../domain/money/cents.ts'
import { isMoneyField } from '../../domain/money/split.ts'
import { cacheRecent } from '../../domain/text/cache-recent.ts'
import { isObject } from '../../domain/text/is-object.ts'
import { isNumberText, isStrictNumberText } from '../../domain/text/number-text.ts'
import type { BodyFields, Endpoint } from './endpoint.ts'
import { printable, type RawBody } from './raw-body.ts'
import { refusalOf } from './refuse.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The errors that concern the body as a whole. */
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
    // Schemas do not look up tokens, so this error can only mean a missing token here.
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
  if (acceptsEmptyBody && raw.isEmpty) {
    behaviors.markAssumptions('emptyBody')
    return {}
  }
  return coerceBody(raw.json, fields, false, behaviors)
}

type Fields = Record<string, unknown>

/**
 * Converts values of the wrong type, as far as the behaviors allow it, and empty texts to `null`. If such a value was sent, the
 * response depends on a behavior, even if the option leaves the value unchanged. In a form, all values are text, so converting
 * them depends on no behavior.
 */
function coerceBody(
  body: object,
  { paths, numbers, booleans, formBooleans, texts }: BodyFields,
  isForm: boolean,
  behaviors: ActiveBehaviors,
): object {
  const { split_type: splitType } = body as Fields

  function toNumber(value: unknown): unknown {
    if (typeof value !== 'string' || !isNumberText(value)) return value
    if (isForm && isStrictNumberText(value)) return Number(value)
    const accepted = behaviors.dependOn('numericStrings')
    return accepted === 'any-spelling' || (accepted === 'accept' && isStrictNumberText(value))
      ? Number(value)
      : value
  }

  const toWholeCents = (value: unknown): unknown =>
    typeof value === 'number' &&
    Number.isFinite(value) &&
    !isWholeCents(value) &&
    behaviors.dependOn('amountDecimals') === 'round'
      ? roundToCents(value)
      : value

  function toBoolean(value: unknown): unknown {
    const read = readBoolean(value)
    if (read === undefined) return value
    return isForm || behaviors.dependOn('booleanAsText') === 'accept' ? read : value
  }

  function coerce(value: unknown, path: string): unknown {
    if (value === null || value === '') {
      behaviors.markAssumptions('optionalFields')
      return null
    }
    if (numbers.has(path)) {
      const number = toNumber(value)
      return isMoneyField(path, splitType) ? toWholeCents(number) : number
    }
    if ((isForm ? formBooleans : booleans).has(path)) return toBoolean(value)
    return typeof value === 'number' && texts.has(path) && behaviors.dependOn('textAsNumber') === 'accept'
      ? String(value)
      : value
  }

  let coerced = body
  for (const path of paths) coerced = replaceValue(coerced, stepsOf(path), (value) => coerce(value, path))
  return coerced
}

/** Reads a boolean that was sent as text or as a number. */
function readBoolean(value: unknown): boolean | undefined {
  if (value === 'true' || value === '1' || value === 1) return true
  if (value === 'false' || value === '0' || value === 0) return false
  return undefined
}

/** The steps of a path. Cached, because there are few paths, and each call needs many of them. */
const stepsOf = cacheRecent((path): readonly string[] => path.split('.'))

/**
 * Replaces the values at a path, starting with one of its steps. Returns a copy if a value changed, otherwise the same object.
 * Never changes the received body.
 */
function replaceValue(
  body: object,
  steps: readonly string[],
  replace: (value: unknown) => unknown,
  at = 0,
): object {
  const fields = body as Fields
  const step = steps[at]!
  const isLast = at === steps.length - 1
  let copy: Fields | undefined
  for (const name of step === '*' ? Object.keys(fields) : [step]) {
    if (!Object.hasOwn(fields, name)) continue
    const value = fields[name]
    const next = isLast
      ? replace(value)
      : isObject(value)
        ? replaceValue(value, steps, replace, at + 1)
        : value
    if (next === value) continue
    copy ??= (Array.isArray(fields) ? [...(fields as unknown[])] : { ...fields }) as Fields
    copy[name] = next
  }
  return copy ?? body
}
