import type { RouterRoute } from 'hono/types'
import { findClosestMatch } from '../../domain/text/closest-match.ts'
import { CONTROL_PATH } from '../../domain/http/control-route.ts'

/** Explains that a route does not exist, and suggests the one with the most similar path. */
export function explainUnknownRoute(routes: readonly RouterRoute[], method: string, url: string): string {
  const path = url.startsWith(CONTROL_PATH) ? url.slice(CONTROL_PATH.length) : url
  const similar = routes.flatMap((route) => {
    // Middleware is registered for all methods, so the method is not compared.
    const corrected = route.method === 'ALL' ? undefined : correctPath(path, route.path)
    return corrected === undefined ? [] : [{ method: route.method, path: corrected }]
  })
  const paths = [...new Set(similar.map((route) => route.path))]
  const closest = paths.includes(path) ? path : (findClosestMatch(path, paths) ?? paths[0])
  const problem = `There is no ${method} ${url}`
  if (closest === undefined)
    return `${problem} in the control API. GET /_sandbox/openapi.json lists all routes.`

  const methods = [...new Set(similar.filter((route) => route.path === closest).map((route) => route.method))]
  if (closest === path) return `${problem}. Use ${methods.join(' or ')}.`
  const suggested = methods.includes(method) ? method : methods.join(' or ')
  return `${problem} in the control API. Did you mean ${suggested} ${CONTROL_PATH}${closest}?`
}

/** The path with its segments spelled as in `pattern`. `undefined` if the two differ too much. */
function correctPath(path: string, pattern: string): string | undefined {
  const segments = path.split('/')
  const patternSegments = pattern.split('/')
  if (segments.length !== patternSegments.length) return undefined
  const words = patternSegments.map((word, index) => {
    const typed = segments[index]!
    return word.startsWith(':') ? typed : word === typed ? word : findClosestMatch(typed, [word])
  })
  return words.includes(undefined) ? undefined : words.join('/')
}
