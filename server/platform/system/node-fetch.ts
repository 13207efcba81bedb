import { URL } from './node-globals.ts'

/** The globals as they are now, under a name for which the build injects nothing. */
const current = globalThis

/**
 * `fetch` and its classes, like the globals of `node-globals.ts`. Separate, because Node loads them at the first access, which
 * takes long.
 */
export let { fetch, FormData, Headers, Request, Response } = current

/** Replaces the classes of a browser environment. Must be called before code is loaded that keeps a reference to them. */
export async function leaveBrowserEnvironment(): Promise<void> {
  if (current.URL === URL && 'Response' in current) return
  const undici = await import('undici')
  ;({ fetch, FormData, Headers, Request, Response } = undici as unknown as typeof current)
}
