import { getRequestListener } from '@hono/node-server'

/**
 * The class `Response` of `@hono/node-server`, which writes text without streams and takes half the time. The package does not
 * export the class; it replaces the global one. So `makeLightResponse` restores the global classes at once, because the program
 * that starts the sandbox must keep its own.
 */
export const LightResponse: typeof Response = makeLightResponse()

function makeLightResponse(): typeof Response {
  const own = Object.getOwnPropertyDescriptors(globalThis)
  try {
    getRequestListener(() => new Response(), { overrideGlobalObjects: true })
    // Reads a property of `globalThis`, because the build replaces the identifier `Response`.
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
