import { URL } from './node-globals.ts'

/** The current globals, under a name that the build does not replace. */
const current = globalThis

/**
 * `fetch` and its classes, like the globals of `node-globals.ts`. They have their own file, because Node loads them at the first
 * access, which takes long.
 */
export let { fetch, FormData, Headers, Request, Response } = current

/** Replaces the classes of a simulated browser. Must be called before loading code that keeps references to them. */
export async function leaveBrowserEnvironment(): Promise<void> {
  if (current.URL === URL && 'Response' in current) return
  const undici = await import('undici')
  ;({ fetch, FormData, Headers, Request, Response } = undici as unknown as typeof current)
}
