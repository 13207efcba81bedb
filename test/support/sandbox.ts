import type { AnswerOf } from '../../server/contract/typed-request.ts'
import type { DeliveryView } from '../../server/contract/views.ts'
import type { ControlRoutes } from '../../server/control/control-api.ts'
import seed from '../../fixtures/seed.json' with { type: 'json' }
import { runSandbox } from '../../server/runtime/sandbox.ts'
import type { SandboxOptions } from '../../server/runtime/config/options.ts'
import type { TypedControl } from './typed-control.ts'
import { newSchema, postgresUrl } from './postgres.ts'
import { assertApiAnswer, assertControlAnswer } from './documents.ts'

export const [shop, courier, market, production] = seed.accounts as [
  (typeof seed.accounts)[0],
  (typeof seed.accounts)[0],
  (typeof seed.accounts)[0],
  (typeof seed.accounts)[0],
]

/** In summer, when `ServerTime` is CEST. */
export const NOON = '2026-07-01T10:00:00.000Z'

export const recipients = [{ token: courier.recipientToken, share: 30 }]

export interface EnvelopeOf<Data = Record<string, unknown>> {
  readonly ResponseCode: 0 | 1
  readonly ResponseMsg: string
  readonly Result: 'True' | 'False'
  readonly ServerTime: string
  readonly data: Data
  readonly totalRecords?: number
}

/** Opens a sandbox in memory, or on PostgreSQL in that project of tests, with functions for the calls that tests make. */
export async function openSandbox(options: SandboxOptions = {}) {
  const problems: unknown[] = []
  const schema = postgresUrl === undefined || options.db !== undefined ? undefined : newSchema()
  const sandbox = await runSandbox({
    ...(schema && { db: schema.url }),
    onError: (error) => problems.push(error),
    isInContainer: false,
    ...options,
  })
  return {
    ...callsOf(sandbox.url),
    ...sandbox,
    problems,
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await schema?.[Symbol.asyncDispose]()
    },
  }
}

export type OpenSandbox = Awaited<ReturnType<typeof openSandbox>>

/**
 * The calls that tests make to a sandbox, over HTTP. Each answer is compared with the OpenAPI documents.
 */
export function callsOf(url: string) {
  async function call<Data = Record<string, unknown>>(
    operation: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; envelope: EnvelopeOf<Data> }> {
    const response = await fetch(`${url}/api/v2/${operation}`, {
      method: 'POST',
      headers: { token: shop.apiKey, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const { status, headers: answered } = response
    const envelope = (await response.json()) as EnvelopeOf<Data>
    await assertApiAnswer(operation, { status, headers: answered, envelope })
    return { status, headers: answered, envelope }
  }

  /** Sends any request to the control API, even an invalid one. Used for requests that are refused, and for computed paths. */
  async function rawControl<Answer = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; headers: Headers; answer: Answer }> {
    const response = await fetch(`${url}/_sandbox/v1${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = text === '' ? null : JSON.parse(text)
    await assertControlAnswer(method, path, response.status, answer)
    return { status: response.status, headers: response.headers, answer }
  }
  const control = rawControl as TypedControl

  /** Creates a split link of €100 with further fields. */
  async function createLink(extra: Record<string, unknown> = {}): Promise<CreatedLink> {
    const { envelope } = await call<CreatedLink>('createSplitLink', { amount: 100, recipients, ...extra })
    if (envelope.ResponseCode !== 1) throw new Error(envelope.ResponseMsg)
    return envelope.data
  }

  /** Submits a checkout form like a browser without scripts, and does not follow the redirect. */
  const submit = (payLink: string, fields: Record<string, string>): Promise<Response> =>
    fetch(payLink, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

  return { call, control, rawControl, createLink, submit }
}

/** The open points that an answer of the API depends on. */
export const assumedBy = ({ headers }: { readonly headers: Headers }): string[] =>
  headers.get('sandbox-assumed')?.split(', ') ?? []

export interface CreatedLink {
  readonly id: number
  readonly pay_link: string
  readonly qr_img: string
  readonly amount: number
  readonly status: string
  readonly paymentEndpoint: string
  readonly callback_url: string
  readonly recipients: string | null
}

export type DeliveryJson = DeliveryView

export type PaymentResult = AnswerOf<ControlRoutes, 'POST /links/:ref/pay'>
