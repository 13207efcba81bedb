import type { Operation } from '../domain/api/operations.ts'
import type { OperationAnswers, OperationBodies } from '../domain/api/operation-types.ts'
import { SandboxError, unreachableMessage, type Fetch } from './request.ts'

interface EnvelopeText {
  readonly ResponseMsg: string
  readonly ServerTime: string
}

/** The service turned the call down, and `ResponseMsg` says why. */
export interface RefusalEnvelope extends EnvelopeText {
  readonly ResponseCode: 0
  readonly Result: 'False'
  readonly data?: undefined
}

/** An answer of the v2 API: a success with `Answer`, or a refusal. `ResponseCode` tells them apart. */
export type Envelope<Answer = { readonly data?: unknown; readonly totalRecords?: number }> =
  | (EnvelopeText & { readonly ResponseCode: 1; readonly Result: 'True' } & Answer)
  | RefusalEnvelope

/** Only a body that needs no field can be left out. */
type BodyArgument<Body> = Partial<Body> extends Body ? [body?: Body] : [body: Body]

/** The emulated API, called with one account's key as your app calls it. */
export interface Api {
  /**
   * Calls an operation, with the body and the answer as the service spells them. Gives the envelope, also where it is a
   * refusal; throws only where no envelope came.
   */
  call<Name extends Operation>(
    operation: Name,
    ...body: BodyArgument<OperationBodies[Name]>
  ): Promise<Envelope<OperationAnswers[Name]>>
  /** The same for calls that are wrong on purpose: with any name and any body. */
  callUnchecked(operation: string, body?: unknown): Promise<Envelope>
}

const FAULT_HINT = 'A fault on api does that: `faults.list()` tells which there are.'

/** A connection that broke off may have been closed with its sandbox, or be the doing of a fault. */
function isConnectionReset(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
}

/** What came instead of an envelope, `undefined` where it broke off. */
function describeMissingEnvelope(asked: string, status: number, text: string | undefined): string {
  const came =
    text === undefined
      ? 'broke off'
      : text === ''
        ? 'was empty'
        : `was no JSON: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 100)}`
  return `The answer to ${asked}, HTTP ${status}, ${came}`
}

export function createApi(url: string, apiKey: string, fetch: Fetch = globalThis.fetch): Api {
  async function callUnchecked(operation: string, body: unknown = {}): Promise<Envelope> {
    const path = `/api/v2/${encodeURIComponent(operation)}`
    const asked = `POST ${path}`
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { token: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(async (error: unknown) => {
      const message = isConnectionReset(error)
        ? await explain(error, `${asked} got no answer`)
        : unreachableMessage(url, error)
      throw new SandboxError(message, asked, null)
    })
    const text = await response.text().catch(() => undefined)
    try {
      return JSON.parse(text ?? '') as Envelope
    } catch {
      const came = describeMissingEnvelope(asked, response.status, text)
      throw new SandboxError(await explain(came, came), asked, response.status)
    }
  }

  /** A fault is to blame only where the sandbox still runs: it strikes calls of the API, and not the health check. */
  const explain = async (error: unknown, what: string): Promise<string> =>
    (await isRunning()) ? `${what}. ${FAULT_HINT}` : unreachableMessage(url, error)

  async function isRunning(): Promise<boolean> {
    try {
      const health = await (await fetch(`${url}/_sandbox/health`, {})).json()
      return (health as { status?: unknown } | null)?.status === 'ok'
    } catch {
      return false
    }
  }
  return { call: callUnchecked as Api['call'], callUnchecked }
}
