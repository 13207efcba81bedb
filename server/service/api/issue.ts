import { errorDetails, type ApiErrorCode, type ErrorDetails } from '../../domain/api/api-error.ts'

/**
 * Encodes an API error as the message of a zod issue. An issue carries only text, so the error is JSON. `issueError`
 * decodes it.
 */
export const issue = <Code extends ApiErrorCode>(...error: Parameters<typeof errorDetails<Code>>): string =>
  JSON.stringify(errorDetails(...error))

export const issueError = ({ message }: { readonly message: string }): ErrorDetails =>
  JSON.parse(message) as ErrorDetails
