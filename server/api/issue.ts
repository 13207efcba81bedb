import { errorDetails, type ApiErrorCode, type ErrorDetails } from '../domain/api/api-error.ts'

/**
 * The text of a zod issue that stands for an API error. zod keeps no more than a text of an issue, so the text is the
 * error as JSON. `issueError` reads it.
 */
export const issue = <Code extends ApiErrorCode>(...error: Parameters<typeof errorDetails<Code>>): string =>
  JSON.stringify(errorDetails(...error))

export const issueError = ({ message }: { readonly message: string }): ErrorDetails =>
  JSON.parse(message) as ErrorDetails
