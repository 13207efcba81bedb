import type { IncomingMessage } from 'node:http'

/** The header of a request that another replica forwarded, and of the response of a replica that does not lead. */
export const MARK = 'Sandbox-Replica'

/** Removes this header from a request to hide it from the app. Returns whether the request had it. */
export function removeMark(request: IncomingMessage): boolean {
  const { rawHeaders } = request
  const index = rawHeaders.findIndex((name, at) => at % 2 === 0 && name === MARK)
  if (index === -1) return false
  rawHeaders.splice(index, 2)
  delete request.headers[MARK.toLowerCase()]
  return true
}
