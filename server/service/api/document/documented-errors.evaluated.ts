import { isDocumented } from '../../../domain/api/api-error.ts'
import type { DocumentedError } from '../../../domain/events/run-report.ts'
import { endpoints } from '../endpoints/all-endpoints.ts'
import { possibleErrors } from './possible-errors.ts'

/** The errors that the reference documents, with their operations. */
export const documentedErrors: readonly DocumentedError[] = [...endpoints].flatMap(([operation, endpoint]) =>
  possibleErrors(operation, endpoint)
    .filter((error) => isDocumented(error, operation))
    .map(({ code, message }) => ({ operation, code, message })),
)
