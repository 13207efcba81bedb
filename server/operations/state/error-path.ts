import { ApiError } from '../../domain/api/api-error.ts'

/** Does something, and says of what is refused where in a seed it stands. */
export function withErrorPath<Result>(path: string, verb: () => Result): Result {
  try {
    return verb()
  } catch (error) {
    throw addErrorPath(path, error)
  }
}

/** What was refused, with where in a seed it stands. */
export const addErrorPath = (path: string, error: unknown): unknown =>
  error instanceof ApiError ? new ApiError(error.kind, `${path}: ${error.message}`) : error
