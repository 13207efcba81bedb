import type { DocumentedError } from '../../domain/events/run-report.ts'
import { endpoints } from '../endpoints.ts'
import { possibleErrors } from './possible-errors.ts'

/** Every refusal that the reference lists, operation by operation. */
export function documentedErrors(): readonly DocumentedError[] {
  known ??= [...endpoints].flatMap(([operation, endpoint]) =>
    possibleErrors(operation, endpoint, [undefined])
      .filter(({ isDocumented }) => isDocumented)
      .map(({ code, message }) => ({ operation, code, message })),
  )
  return known
}

/** Found by asking the schemas. Of a body's shape, what is listed are missing fields, and to try more takes a while. */
let known: readonly DocumentedError[] | undefined
