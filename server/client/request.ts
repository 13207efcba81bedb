import { createTypedRequest, type TypedRequest } from '../contract/typed-request.ts'
import type { ControlRoutes } from '../control/control-api.ts'
import { CONTROL_PATH } from '../domain/http/control-route.ts'
import type { Fetch } from '../domain/http/fetch.ts'
import { usedProxy } from '../platform/http/proxy.ts'
import { reasonOf } from '../domain/text/reason-of.ts'
import { explainTlsError } from '../platform/tls/explain-tls-error.ts'

/** Sends requests to the control API of one sandbox. */
export type Request = TypedRequest<ControlRoutes>

/** Creates the function through which a handle sends all its requests. It throws `SandboxError` for an error status. */
export const createRequest = (url: string, adminToken: string | undefined, fetch: Fetch): Request =>
  createTypedRequest({
    base: url + CONTROL_PATH,
    ...(adminToken !== undefined && { headers: { authorization: `Bearer ${adminToken}` } }),
    fetch,
    explainFailure: async (error) =>
      (await explainTlsError(url, error)) ?? (await unreachableMessage(url, error)),
    explainForeign: () => proxyHint(url),
  })

export async function unreachableMessage(url: string, error: unknown): Promise<string> {
  const what = `No sandbox answers at ${url}`
  const proxy = await proxyHint(url)
  if (proxy !== undefined) return `${what}: ${reasonOf(error)}. ${proxy}`
  return `${what}: ${reasonOf(error)}. It may have been closed. Start one with \`npx paylink-sandbox\`.`
}

/** Names the proxy that was used for a request. `undefined` if none was used. */
export async function proxyHint(url: string): Promise<string | undefined> {
  const { hostname } = new URL(url)
  const proxy = await usedProxy(new URL(url))
  if (proxy === undefined) return undefined
  return `The request went through the proxy ${proxy.address} of ${proxy.variable}. To call the sandbox directly, add ${hostname} to NO_PROXY.`
}
