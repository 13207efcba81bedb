import type { RawBody } from '../body.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The fields of a body, JSON or form. None if it cannot be read. */
export function readFields(body: RawBody): Fields {
  try {
    return body.mediaType === 'application/json' ? { ...body.json } : body.form
  } catch {
    return {}
  }
}
