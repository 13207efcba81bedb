import { Pool } from 'undici'
import { INTERNAL_FAILURE } from '../../server/store/database-error.ts'
import { shop } from '../support/sandbox.ts'

/** An answer, or `undefined` if there was none. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = { readonly status: number; readonly text: string; readonly body: any } | undefined

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Sent {
  readonly method: Method
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | null
}

interface Options {
  readonly url: string
  /** Resolves once a sandbox listens there. A refused call is then sent again. */
  readonly up: (url: string) => Promise<unknown>
  /** Called after every request. */
  readonly onAnswer?: (isAnswered: boolean) => void
  /** Unexpected answers are added here. */
  readonly problems: string[]
}

/**
 * Sends requests to a sandbox or to replicas that may be killed at any time. A request without an answer is no problem. A
 * request that had no effect is sent again.
 */
export function createCaller({ url, up, onAnswer = () => {}, problems }: Options) {
  const pool = new Pool(url, { connections: 16 })

  async function send(request: Sent, isExpected: (answer: NonNullable<Answer>) => boolean): Promise<Answer> {
    const answer = await sendUntilDone(request)
    onAnswer(answer !== undefined)
    if (answer && !isExpected(answer)) {
      const { method, path, body } = request
      problems.push(`${method} ${path} ${body ?? ''} got ${answer.status}: ${answer.text.slice(0, 300)}`)
    }
    return answer
  }

  async function sendUntilDone(request: Sent): Promise<Answer> {
    for (;;) {
      try {
        const { statusCode: status, headers, body } = await pool.request(request)
        const text = await body.text()
        // No replica leads, so the request had no effect. Replicas wait for a leader before they answer this.
        if (status === 503 && headers['retry-after'] !== undefined) continue
        // The connection to the database broke during the call.
        if (status >= 500 && !text.includes(INTERNAL_FAILURE)) return undefined
        return { status, text, body: parseJson(text) }
      } catch (error) {
        if ((error as { code?: string }).code !== 'ECONNREFUSED') return undefined
        await up(url)
      }
    }
  }

  return {
    /** Calls the API. Some refusals are expected. */
    api: (operation: string, body: object, refusals: readonly string[] = []) =>
      send(
        {
          method: 'POST',
          path: `/api/v2/${operation}`,
          headers: { token: shop.apiKey, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        (answer) =>
          answer.status === 200 &&
          (answer.body?.ResponseCode === 1 || refusals.includes(answer.body?.ResponseMsg)),
      ),
    control: (method: Method, path: string, body?: object, refusals: readonly number[] = []) =>
      send(
        {
          method,
          path: `/_sandbox/v1${path}`,
          headers: body === undefined ? {} : { 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        },
        ({ status }) => status < 300 || refusals.includes(status),
      ),
    submit: (path: string, fields: Record<string, string>, refusals: readonly number[] = []) =>
      send(
        {
          method: 'POST',
          path,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        },
        ({ status }) => status < 400 || refusals.includes(status),
      ),
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

export type Caller = ReturnType<typeof createCaller>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
