import { ApiError } from '../../../domain/api/api-error.ts'

/** Runs `action`. If it throws an API error, adds the path in the seed to the error. */
export function withErrorPath<Result>(path: string, action: () => Result): Result {
  try {
    return action()
  } catch (error) {
    throw addErrorPath(path, error)
  }
}

/** Adds the path in the seed to an API error. Returns other errors unchanged. */
export const addErrorPath = (path: string, error: unknown): unknown =>
  error instanceof ApiError ? error.at(path) : error
