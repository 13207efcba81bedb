import type { Operation } from '../domain/api/operations.ts'
import type { Envelope } from '../domain/api/envelope.ts'
import type { OperationAnswers, OperationBodies } from '../domain/api/operation-types.ts'
import { LOCAL_HEADER } from '../domain/api/upstream.ts'
import type { Fetch } from '../domain/http/fetch.ts'
import { SandboxError } from '../contract/sandbox-error.ts'
import { unreachableMessage } from './request.ts'

/** `body` may be left out if the operation has no required field. */
type BodyArgument<Body> = Partial<Body> extends Body ? [body?: Body] : [body: Body]

/** Calls the emulated API with the key of one account. */
export interface Api {
  /**
   * Calls an operation. The body and the response have the field names of the v2 API. Returns the envelope, even if the call is
   * refused. Throws `SandboxError` if no envelope arrived.
   */
  call<Name extends Operation>(
    operation: Name,
    ...body: BodyArgument<OperationBodies[Name]>
  ): Promise<Envelope<OperationAnswers[Name]>>
  /** Like `call`, but accepts any operation name and any body, to test invalid calls. */
  callUnchecked(operation: string, body?: unknown): Promise<Envelope>
}

const FAULT_HINT = 'A fault on api can cause this: see `faults.list()`.'

/** A reset connection means that either the sandbox was closed or a fault reset it. */
function isConnectionReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

/** Describes a response that is not an envelope. `text` is `undefined` if the response broke off. */
function describeMissingEnvelope(operation: string, status: number, text: string | undefined): string {
  const answered = `${operation} was answered with HTTP ${status} and`
  if (text === undefined) return `${answered} only a part of the body`
  const body = text.replaceAll(/\s+/g, ' ').trim()
  if (body === '') return `${answered} an empty body`
  const isPage = /^<(?:!doctype|html)\b/i.test(body)
  return `${answered} ${isPage ? 'an HTML page' : `a body that is not JSON: ${body.slice(0, 100)}`}`
}

/** The response to a call, with the sandbox's code if it is an error. */
interface CallResult {
  readonly envelope: Envelope
  readonly errorCode: string | null
}

/** An `Api` whose `send` also returns the code of an error. */
export interface ApiClient extends Api {
  send(operation: string, body?: unknown): Promise<CallResult>
}

export function createApi(
  url: string,
  apiKey: string,
  { fetch, upstream }: { readonly fetch: Fetch; readonly upstream: string | null },
): ApiClient {
  const headers = { token: apiKey, 'content-type': 'application/json' }
  async function send(operation: string, body: unknown = {}): Promise<CallResult> {
    const path = `/api/v2/${encodeURIComponent(operation)}`
    const request = `POST ${path}`
    const response = await fetch(url + path, {
      method: 'POST',
      headers: upstream === null ? headers : { ...headers, [LOCAL_HEADER]: 'true' },
      body: JSON.stringify(body),
    }).catch(async (error: unknown) => {
      if (isConnectionReset(error)) throw await toError(error, `${operation} got no answer`, request, null)
      throw new SandboxError(await unreachableMessage(url, error), request, null)
    })
    const text = await response.text().catch(() => undefined)
    try {
      const envelope = JSON.parse(text ?? '') as Envelope
      return { envelope, errorCode: response.headers.get('sandbox-error') }
    } catch {
      const what = describeMissingEnvelope(operation, response.status, text)
      throw await toError(what, what, request, response.status)
    }
  }

  /** Mentions faults as a possible cause only if the sandbox answers a health check, which no fault affects. */
  async function toError(cause: unknown, problem: string, request: string, status: number | null) {
    return (await isRunning())
      ? new SandboxError(
          `${problem}. ${FAULT_HINT}`,
          request,
          status,
          {},
          { detail: `${problem}.`, canBeFault: true },
        )
      : new SandboxError(await unreachableMessage(url, cause), request, status)
  }

  async function isRunning(): Promise<boolean> {
    try {
      const health = await (await fetch(`${url}/_sandbox/health`)).json()
      return (health as { status?: unknown } | null)?.status === 'ok'
    } catch {
      return false
    }
  }
  const callUnchecked = async (operation: string, body?: unknown): Promise<Envelope> =>
    (await send(operation, body)).envelope
  return { call: callUnchecked as Api['call'], callUnchecked, send }
}
