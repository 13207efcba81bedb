import { ApiError } from '../../../domain/api/api-error.ts'

/** Runs `verb`, and adds the path in the seed to an API error that it throws. */
export function withErrorPath<Result>(path: string, verb: () => Result): Result {
  try {
    return verb()
  } catch (error) {
    throw addErrorPath(path, error)
  }
}

/** Adds the path in the seed to an API error. Returns other errors unchanged. */
export const addErrorPath = (path: string, error: unknown): unknown =>
  error instanceof ApiError ? error.at(path) : error
