import type { z } from 'zod'
import { ApiError, apiError, type ApiErrorCode } from '../../domain/api/api-error.ts'

/**
 * The `error` of a check in a schema. It throws the `ApiError` instead of returning a message, because an issue of zod can
 * contain only text. zod calls this after it has checked the whole value, beginning with the first wrong field.
 */
export const refuse =
  <Code extends ApiErrorCode>(...error: Parameters<typeof apiError<Code>>) =>
  (): never => {
    throw apiError(...error)
  }

/** The error with the reason why a schema refuses a value. `undefined` if the schema accepts it. */
export function refusalOf(schema: z.ZodType, value: unknown): ApiError | undefined {
  try {
    schema.parse(value)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
