import type { CheckRow } from '../../store/snapshots/snapshots.ts'
import { plainMessages } from '../../contract/schemas/plain-issue.ts'
import { formatPath } from '../../contract/seed/explain-issues.ts'
import { explainIssue } from '../requests/validators.ts'
import { tableSchemas } from './table-schemas.ts'

/** Explains why a row of a snapshot is invalid. `null` if it is valid. */
export const checkRow: CheckRow = (table, row) => {
  const schema = tableSchemas[table]
  const [issue] = schema.safeParse(row, plainMessages).error?.issues ?? []
  return issue ? `${formatPath(issue.path)}: ${explainIssue(issue, schema)}` : null
}
