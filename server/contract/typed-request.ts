import type { Fetch, FetchResponse } from '../domain/http/fetch.ts'
import { SandboxError } from './sandbox-error.ts'

/** A route of an API, such as `POST /links/:ref/pay`. `Routes` is what Hono derives from the handlers of an app. */
export type RouteOf<Routes> = {
  [Path in keyof Routes & string]: {
    [Method in keyof Routes[Path]]: Method extends `$${infer Verb}` ? `${Uppercase<Verb>} ${Path}` : never
  }[keyof Routes[Path]]
}[keyof Routes & string]

type Endpoint<Routes, Route> = Route extends `${infer Verb} ${infer Path}`
  ? Path extends keyof Routes
    ? Routes[Path][`$${Lowercase<Verb>}` & keyof Routes[Path]]
    : never
  : never

/** The input of a route: `param`, `query` and `json`. */
export type InputOf<Routes, Route> = Endpoint<Routes, Route> extends { input: infer Input } ? Input : never

/** The JSON body of a route's response. `null` if the response has no body. */
export type AnswerOf<Routes, Route> =
  Endpoint<Routes, Route> extends infer One ? (One extends { output: infer Answer } ? Answer : never) : never

/** Numbers may also be passed in paths and queries. */
type WithNumbers<Values> = {
  [Key in keyof Values]: Values[Key] | (string extends Values[Key] ? number : never)
}

/** A part of the input may be left out if none of its values is required. */
type Parts<Input> = {
  [Part in keyof Input as {} extends Input[Part] ? Part : never]?: PartOf<Input, Part>
} & { [Part in keyof Input as {} extends Input[Part] ? never : Part]: PartOf<Input, Part> }

type PartOf<Input, Part extends keyof Input> = Part extends 'json'
  ? ReadOnly<Input[Part]>
  : WithNumbers<Input[Part]>

export type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadOnly<Value[Key]> }
    : Value

interface Extras {
  /** The body as a file: a `Uint8Array`, or a `Blob` in a browser. */
  readonly file?: object | undefined
  readonly signal?: AbortSignal | undefined
}

type Arguments<Input> =
  {} extends Parts<Input> ? [input?: Parts<Input> & Extras] : [input: Parts<Input> & Extras]

/** Sends requests to an API. The compiler checks the path with its parameters, the query, the body and the response. */
export interface TypedRequest<Routes, Response extends FetchResponse = FetchResponse> {
  /** Returns the JSON of the response. Throws `SandboxError` for an error status. */
  <Route extends RouteOf<Routes>>(
    route: Route,
    ...input: Arguments<InputOf<Routes, Route>>
  ): Promise<AnswerOf<Routes, Route>>
  /** Returns the text of the response. */
  text<Route extends RouteOf<Routes>>(
    route: Route,
    ...input: Arguments<InputOf<Routes, Route>>
  ): Promise<string>
  response<Route extends RouteOf<Routes>>(
    route: Route,
    ...input: Arguments<InputOf<Routes, Route>>
  ): Promise<Response>
}

interface Connection<Response extends FetchResponse> {
  /** The URL of the API. The paths of the routes are appended. */
  readonly base: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch: (...args: Parameters<Fetch>) => Promise<Response>
  /** Explains why there was no response. */
  readonly explainFailure: (error: unknown) => string | Promise<string>
  /** Explains an error status that did not come from a sandbox. */
  readonly explainForeign?: () => Promise<string | undefined>
}

/** The input of any route. */
interface AnyInput extends Extras {
  readonly param?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly json?: unknown
}

export function createTypedRequest<Routes, Response extends FetchResponse = FetchResponse>({
  base,
  headers = {},
  fetch,
  explainFailure,
  explainForeign = async () => undefined,
}: Connection<Response>): TypedRequest<Routes, Response> {
  async function response(route: string, { param = {}, query = {}, json, file, signal }: AnyInput = {}) {
    const { method, url } = addressOf(route, param)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const request = `${method} ${url.pathname}`
    const answer = await fetch(url.href, {
      method,
      headers: {
        ...headers,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(file !== undefined && { body: file as Uint8Array }),
      ...(signal && { signal }),
    }).catch(async (error: unknown) => {
      throw new SandboxError(await explainFailure(error), request, null)
    })
    if (answer.ok) return answer

    const { status, statusText } = answer
    const problem = Object(await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
    const detail =
      typeof problem.detail === 'string'
        ? problem.detail
        : [statusText, await explainForeign()].filter(Boolean).join('. ')
    throw new SandboxError(`${request} ${status}: ${detail}`, request, status, problem, { detail })
  }

  function addressOf(route: string, param: AnyInput['param'] = {}): { method: string; url: URL } {
    const [method = '', path = ''] = route.split(' ')
    const filled = path.replaceAll(/:(\w+)/g, (_, name) => {
      const value = String(param[name])
      // `URL` would resolve `.` and `..`, and the request would go to a different route.
      if (value === '.' || value === '..') throw new TypeError(`${name} must not be ${value}.`)
      return encodeURIComponent(value)
    })
    return { method, url: new URL(base + filled) }
  }

  const text = async (route: string, input?: AnyInput) => (await response(route, input)).text()

  async function readJson(route: string, input?: AnyInput): Promise<unknown> {
    const answer = await response(route, input)
    if (answer.status === 204) return null
    const body = await answer.text()
    try {
      return JSON.parse(body)
    } catch {
      const { method, url } = addressOf(route, input?.param)
      throw new SandboxError(
        `The answer to ${method} ${url.href} is not JSON: ${body.slice(0, 100)}`,
        `${method} ${url.pathname}`,
        answer.status,
      )
    }
  }
  return Object.assign(readJson, { text, response }) as unknown as TypedRequest<Routes, Response>
}
