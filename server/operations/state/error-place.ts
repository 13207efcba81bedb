import { ApiError } from '../../domain/api/api-error.ts'

/** Does something, and says of what is refused where in a seed it stands. */
export function within<Result>(path: string, verb: () => Result): Result {
  try {
    return verb()
  } catch (error) {
    throw placed(path, error)
  }
}

/** What was refused, with where in a seed it stands. */
export const placed = (path: string, error: unknown): unknown =>
  error instanceof ApiError ? new ApiError(error.kind, `${path}: ${error.message}`) : error
