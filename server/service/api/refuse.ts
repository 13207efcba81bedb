import type { z } from 'zod'
import { ApiError, apiError, type ApiErrorCode } from '../../domain/api/api-error.ts'

/**
 * The `error` of a check in a schema. It throws the `ApiError` instead of returning a message, because an issue of zod can
 * contain only text. zod calls it after the whole value was checked, beginning with the first wrong field.
 */
export const refuse =
  <Code extends ApiErrorCode>(...error: Parameters<typeof apiError<Code>>) =>
  (): never => {
    throw apiError(...error)
  }

/** The error by which a schema refuses a value. `undefined` if it accepts the value. */
export function refusalOf(schema: z.ZodType, value: unknown): ApiError | undefined {
  try {
    schema.parse(value)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
