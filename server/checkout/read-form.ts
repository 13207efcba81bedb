import type { Context } from 'hono'
import type { NodeEnv } from '../http/node-env.ts'
import { readBody } from '../http/read-body.ts'

const FORM_LIMIT = 16 * 1024

export interface Form {
  readonly fields: URLSearchParams
  /** Why what came is no form. */
  readonly objection: string | null
}

/** What a browser sends without scripts. Anything else is no form, and must not be taken for a click. */
export async function readForm(c: Context<NodeEnv>): Promise<Form> {
  const { bytes, tooLarge } = await readBody(c, FORM_LIMIT)
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return noForm(`Content-Type should be application/x-www-form-urlencoded, not ${type || 'missing'}.`)
  }
  if (tooLarge) return noForm('A form should be at most 16 KiB.')
  return { fields: new URLSearchParams(new TextDecoder().decode(bytes)), objection: null }
}

const noForm = (objection: string): Form => ({ fields: new URLSearchParams(), objection })
