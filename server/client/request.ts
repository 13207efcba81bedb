import type { Fetch, FetchResponse } from '../domain/http/fetch.ts'
import { usedProxy } from '../platform/http/proxy.ts'
import { reasonOf } from '../domain/text/reason-of.ts'
import { explainTlsError } from '../platform/tls/explain-tls-error.ts'

/** The sandbox rejected a request, or could not be reached. The message contains the request, the status and the reason. */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError'
  /** Method and path, like `POST /_sandbox/v1/links/1001/pay`. */
  readonly request: string
  /** The HTTP status. `null` without an answer. */
  readonly status: number | null
  /** The RFC 9457 problem of the answer. */
  readonly problem: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    request: string,
    status: number | null,
    problem: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.request = request
    this.status = status
    this.problem = problem
  }
}

interface RequestParts {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

/** Sends requests to the control API of one sandbox. */
export interface Request {
  /** Returns the JSON of the answer. */
  <Answer>(method: string, path: string, parts?: RequestParts): Promise<Answer>
  /** Returns the text of the answer. */
  text(path: string, query?: RequestParts['query']): Promise<string>
  /** Returns the response itself. */
  raw(
    method: string,
    path: string,
    parts?: RequestParts & { readonly bytes?: Uint8Array },
  ): Promise<FetchResponse>
}

/** Creates the function that sends every request of a handle. It throws `SandboxError` for an error status. */
export function createRequest(url: string, adminToken: string | undefined, fetch: Fetch): Request {
  const base = `${url}/_sandbox/v1`
  const authorization: Record<string, string> =
    adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }

  async function raw(
    method: string,
    path: string,
    { query = {}, body, bytes }: Parameters<Request['raw']>[2] = {},
  ): Promise<FetchResponse> {
    const target = new URL(base + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value))
    }
    const requested = `${method} ${target.pathname}`
    const response = await fetch(target.href, {
      method,
      headers: {
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(bytes === undefined ? {} : { body: bytes }),
    }).catch(async (error: unknown) => {
      throw new SandboxError(
        (await explainTlsError(url, error)) ?? (await unreachableMessage(url, error)),
        requested,
        null,
      )
    })
    if (response.ok) return response

    const problem = await readProblem(response)
    const detail =
      typeof problem.detail === 'string'
        ? problem.detail
        : [response.statusText, await proxyHint(url)].filter(Boolean).join('. ')
    throw new SandboxError(`${requested} ${response.status}: ${detail}`, requested, response.status, problem)
  }

  async function request<Answer>(method: string, path: string, parts?: RequestParts): Promise<Answer> {
    const response = await raw(method, path, parts)
    if (response.status === 204) return undefined as Answer
    const answer = await response.text()
    try {
      return JSON.parse(answer) as Answer
    } catch {
      const message = `The answer to ${method} ${base}${path} is not JSON: ${answer.slice(0, 100)}`
      throw new SandboxError(message, `${method} ${path}`, response.status)
    }
  }
  const text = async (path: string, query: RequestParts['query'] = {}): Promise<string> =>
    (await raw('GET', path, { query })).text()

  return Object.assign(request, { raw, text })
}

const readProblem = (response: FetchResponse): Promise<Record<string, unknown>> =>
  response.json().catch(() => ({})) as Promise<Record<string, unknown>>

export async function unreachableMessage(url: string, error: unknown): Promise<string> {
  const what = `No sandbox answers at ${url}`
  const proxy = await proxyHint(url)
  if (proxy !== undefined) return `${what}: ${reasonOf(error)}. ${proxy}`
  return `${what}: ${reasonOf(error)}. It may have been closed. Start one with \`npx paylink-sandbox\`.`
}

/** Names the proxy that a request went through. `undefined` if it went directly. */
export async function proxyHint(url: string): Promise<string | undefined> {
  const { hostname } = new URL(url)
  const proxy = await usedProxy(new URL(url))
  if (proxy === undefined) return undefined
  return `The request went through the proxy ${proxy.address} of ${proxy.variable}. To call the sandbox directly, add ${hostname} to NO_PROXY.`
}
