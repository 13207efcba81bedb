import type { Database } from '../schema.ts'

/** One statement of a batch. */
export interface SqlCommand {
  readonly text: string
  /** The values in the server's notation. */
  readonly values: readonly (string | null)[]
  /** Whether the caller needs the rows. */
  readonly hasRows: boolean
  /** The table, if the statement only inserts one row. */
  readonly insertsInto?: keyof Database | undefined
}

export const sqlCommand = (text: string, values: SqlCommand['values'] = [], hasRows = false): SqlCommand => ({
  text,
  values,
  hasRows,
})
