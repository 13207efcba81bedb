import { SandboxError, unreachable, type Fetch } from './request.ts'

/** An answer of the v2 API. */
export interface Envelope<Data = unknown> {
  /** 1 for success, 0 for a refusal. */
  readonly ResponseCode: 0 | 1
  readonly ResponseMsg: string
  readonly Result: 'True' | 'False'
  readonly ServerTime: string
  readonly data?: Data
  readonly totalRecords?: number
}

/** The body of createLink, or with `recipients` that of createSplitLink. */
export interface LinkFields {
  /** In euros. */
  readonly amount: number
  readonly recipients?: readonly { readonly token: string; readonly share: number }[]
  readonly split_type?: 'normal' | 'absolute'
  readonly recipient_note?: string
  readonly callback_url?: string
  readonly payment_endpoint?: string
  readonly cancellable?: boolean
  readonly is_qr_link?: boolean
  readonly bank_transfer?: boolean
  readonly bank_statement_description?: string
}

/** A new link, in the service's own fields. */
export interface CreatedLink {
  readonly id: number
  readonly user_id: string
  /** In euros. */
  readonly amount: number
  readonly recipient_note: string
  readonly status: 'Unused'
  readonly paymentEndpoint: string
  readonly callback_url: string
  readonly servicefee: string
  /** A JSON text, `null` for a link without a split. */
  readonly recipients: string | null
  readonly is_split_link: 'true' | 'false'
  readonly split_type: 'normal' | 'absolute'
  readonly bank_transfer: 'true' | 'false'
  readonly is_qr_link: 'true' | 'false'
  readonly is_cancellation: 'No'
  readonly payment_config: ''
  readonly bank_statement_description: string
  readonly created_at: string
  readonly pay_link: string
  readonly qr_img: string
  readonly transaction_type: 'Split' | 'Basic'
}

const BY_FAULT = 'A fault on api does that: `faults.list()` tells which there are.'

/** A connection that broke off may have been closed with its sandbox, or be the doing of a fault. */
function brokeOff(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
}

/** What came instead of an envelope, `undefined` where it broke off. */
function withoutEnvelope(asked: string, status: number, text: string | undefined): string {
  const came =
    text === undefined
      ? 'broke off'
      : text === ''
        ? 'was empty'
        : `was no JSON: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 100)}`
  return `The answer to ${asked}, HTTP ${status}, ${came}`
}

/** The emulated API, called with one account's key as your app calls it. */
export interface Api {
  /** Calls an operation, and gives its envelope, be it a refusal: only what is no envelope is thrown. */
  call<Data = unknown>(operation: string, body?: unknown): Promise<Envelope<Data>>
  /** Creates a payment link: a split link where there are recipients. Throws where it is refused. */
  createLink(fields: LinkFields): Promise<CreatedLink>
}

export function createApi(url: string, apiKey: string, fetch: Fetch = globalThis.fetch): Api {
  async function call<Data>(operation: string, body: unknown = {}): Promise<Envelope<Data>> {
    const path = `/api/v2/${encodeURIComponent(operation)}`
    const asked = `POST ${path}`
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { token: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(async (error: unknown) => {
      const message = brokeOff(error)
        ? await explain(error, `${asked} got no answer`)
        : unreachable(url, error)
      throw new SandboxError(message, asked, null)
    })
    const text = await response.text().catch(() => undefined)
    try {
      return JSON.parse(text ?? '') as Envelope<Data>
    } catch {
      const came = withoutEnvelope(asked, response.status, text)
      throw new SandboxError(await explain(came, came), asked, response.status)
    }
  }

  /** A fault is to blame only where the sandbox still runs: it strikes calls of the API, and not the health check. */
  const explain = async (error: unknown, what: string): Promise<string> =>
    (await isRunning()) ? `${what}. ${BY_FAULT}` : unreachable(url, error)

  async function isRunning(): Promise<boolean> {
    try {
      const health = await (await fetch(`${url}/_sandbox/health`, {})).json()
      return (health as { status?: unknown } | null)?.status === 'ok'
    } catch {
      return false
    }
  }

  async function createLink(fields: LinkFields): Promise<CreatedLink> {
    const operation = fields.recipients === undefined ? 'createLink' : 'createSplitLink'
    const envelope = await call<CreatedLink>(operation, fields)
    if (envelope.data !== undefined) return envelope.data
    throw new SandboxError(
      `${operation} was refused: ${envelope.ResponseMsg}`,
      `POST /api/v2/${operation}`,
      200,
      { ...envelope },
    )
  }
  return { call, createLink }
}
