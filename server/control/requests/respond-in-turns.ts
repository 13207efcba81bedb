import type { Context, TypedResponse } from 'hono'
import type { JSONParsed } from 'hono/utils/types'
import { jsonInTurns } from '../../platform/system/json-in-turns.ts'

/** Responds with an object that has long lists, like `c.json`, but lets other work run while the object is encoded. */
export async function respondInTurns<Value extends object>(
  c: Context,
  value: Value,
  indent = 0,
): Promise<Response & TypedResponse<JSONParsed<Value>, 200, 'json'>> {
  const response = c.body(await jsonInTurns(value, indent), 200, { 'content-type': 'application/json' })
  return response as unknown as Response & TypedResponse<JSONParsed<Value>, 200, 'json'>
}
