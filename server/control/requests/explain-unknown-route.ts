import type { RouterRoute } from 'hono/types'
import { findClosestMatch } from '../../domain/text/closest-match.ts'

const PREFIX = '/_sandbox/v1'

/** Says that there is no such route, and which one was probably meant. */
export function explainUnknownRoute(routes: readonly RouterRoute[], method: string, asked: string): string {
  const path = asked.startsWith(PREFIX) ? asked.slice(PREFIX.length) : asked
  // Middleware stands for any method, and is none.
  const similar = routes.flatMap((route) => {
    const alike = route.method === 'ALL' ? undefined : likened(path, route.path)
    return alike === undefined ? [] : [{ method: route.method, path: alike }]
  })
  const paths = [...new Set(similar.map((one) => one.path))]
  const meant = paths.includes(path) ? path : (findClosestMatch(path, paths) ?? paths[0])
  const what = `There is no ${method} ${asked}`
  if (meant === undefined) return `${what} in the control API. /_sandbox/openapi.json has all there is.`

  const methods = [...new Set(similar.filter((one) => one.path === meant).map((one) => one.method))]
  if (meant === path) return `${what}, use ${methods.join(' or ')}.`
  const verb = methods.includes(method) ? method : methods.join(' or ')
  return `${what} in the control API, did you mean ${verb} ${PREFIX}${meant}?`
}

/** A path with its words as a route spells them. `undefined` where it is not like that route. */
function likened(path: string, pattern: string): string | undefined {
  const given = path.split('/')
  const wanted = pattern.split('/')
  if (given.length !== wanted.length) return undefined
  const words = wanted.map((word, index) => {
    const own = given[index]!
    return word.startsWith(':') ? own : word === own ? word : findClosestMatch(own, [word])
  })
  return words.includes(undefined) ? undefined : words.join('/')
}
