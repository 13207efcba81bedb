import { getRequestListener } from '@hono/node-server'

/**
 * The class `Response` of `@hono/node-server`. It writes text without streams, in half the time. The package does not export
 * it, but replaces the global class with it. That would also affect the app that starts a sandbox, so `makeLightResponse` restores
 * the global classes at once.
 */
export const LightResponse: typeof Response = makeLightResponse()

function makeLightResponse(): typeof Response {
  const own = Object.getOwnPropertyDescriptors(globalThis)
  try {
    getRequestListener(() => new Response(), { overrideGlobalObjects: true })
    // Read from `globalThis`, because the build replaces the identifier `Response` alone.
    const { Response: light } = globalThis
    return light
  } finally {
    // Some test environments have no such classes.
    for (const name of ['Request', 'Response'] as const) {
      if (own[name]) Object.defineProperty(globalThis, name, own[name])
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}
