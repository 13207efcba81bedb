import type { Content, Entry, Page, Request, Response, Timings } from 'har-format'
import type { AssumptionName } from '../behaviors/open-points.ts'
import { omitUndefined } from '../text/omit-undefined.ts'
import type { RecordedEvent } from '../events/event.ts'
import type { EntryPoint } from '../events/event-fields.ts'
import { countKeptBytes, type Body, type Exchange, type Headers, findHeader } from '../http/exchange.ts'
import { truncate } from '../text/truncate.ts'
import type { Link } from '../links/link.ts'
import { toEuros } from '../money/cents.ts'

/** Details of an exchange for which the HTTP Archive format has no field. */
interface HarDetails {
  readonly seq: number
  readonly type: RecordedEvent['type']
  /** The entry point of the request. A webhook is outgoing. */
  readonly entryPoint?: EntryPoint
  /** The webhook that was sent or that a tunnel captured. */
  readonly deliveryId?: number
  readonly attempt?: number
  /** Why the webhook has this target. */
  readonly reason?: string
  /** The case of the receiver check that sent the webhook. */
  readonly check?: string
  /** The address that was used instead of the target. */
  readonly via?: string
  /** The tunnel that stored the webhook and answered because no listener was connected. */
  readonly storedIn?: string
  readonly assumed?: readonly AssumptionName[]
  /** How long the sandbox took to compute the response, if a fault may have delayed it. */
  readonly processingMs?: number
  /** The real service that answered the call, or failed to. */
  readonly upstream?: string
  /** How the upstream's response differs from `sandboxResponse`, apart from ids, times and hosts. */
  readonly differences?: readonly string[]
  /** Why the two responses were not compared. */
  readonly comparisonSkipped?: string
  /** How the sandbox would have responded. */
  readonly sandboxResponse?: Response
}

/** The body as browsers write it. A form has both fields and text, although the format allows only one of them. */
interface PostData {
  readonly mimeType: string
  readonly text: string
  readonly params?: { readonly name: string; readonly value: string }[]
  readonly encoding?: 'base64'
  readonly comment?: string
}

export type HarEntry = Omit<Entry, 'request'> & {
  readonly request: Omit<Request, 'postData'> & { readonly postData?: PostData }
  readonly _sandbox: HarDetails
}

type MaskText = (text: string) => string

/**
 * An exchange and its event as an entry of HTTP Archive 1.2. Decoded values are passed to `masked` again, because decoding can
 * reveal a secret.
 */
export function harEntry(
  event: RecordedEvent,
  exchange: Exchange,
  maskText: MaskText = (text) => text,
): HarEntry {
  const error = findError(event)
  return {
    ...(event.linkId === null ? {} : { pageref: pageId(event.linkId) }),
    startedDateTime: event.type === 'delivery.attempted' ? event.startedAt : event.at,
    time: 'ms' in event ? event.ms : UNKNOWN,
    request: toHarRequest(exchange.request, maskText),
    response: exchange.response
      ? { ...toHarResponse(exchange.response), ...(error === null ? {} : { _error: error }) }
      : noResponse(error),
    cache: {},
    timings: toTimings(event),
    ...(error === null ? {} : { comment: error }),
    _sandbox: {
      ...toDetails(event),
      ...(exchange.sandboxResponse && { sandboxResponse: toHarResponse(exchange.sandboxResponse) }),
    },
  }
}

/** Why the response is missing or incomplete. */
function findError(event: RecordedEvent): string | null {
  if (event.type === 'tunnel.captured') return event.status === null ? 'forwarded to listeners' : null
  if ('upstreamError' in event) return event.upstreamError ?? null
  return 'httpStatus' in event || event.type === 'tunnel.answered' ? event.error : null
}

/** The page that groups all exchanges of one payment. */
export const harPage = ({ id, payId, amount, note }: Link, startedDateTime: string): Page => ({
  startedDateTime,
  id: pageId(id),
  title: `Payment ${payId}, €${toEuros(amount).toFixed(2)}${note === '' ? '' : `: ${truncate(note, MAX_NOTE_LENGTH)}`}`,
  pageTimings: {},
})

const UNKNOWN = -1
const MAX_NOTE_LENGTH = 100

const pageId = (linkId: number): string => `link-${linkId}`

/** Only the total time is measured. Nearly all of it is spent waiting. */
const toTimings = (event: RecordedEvent): Timings => ({
  blocked: UNKNOWN,
  dns: UNKNOWN,
  connect: UNKNOWN,
  ssl: UNKNOWN,
  send: UNKNOWN,
  wait: 'ms' in event ? event.ms : UNKNOWN,
  receive: UNKNOWN,
})

export const toHarRequest = (
  { method, url, headers, body }: Exchange['request'],
  maskText: MaskText = (text) => text,
): HarEntry['request'] => ({
  method,
  url,
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: toHarHeaders(headers),
  queryString: toHarParams(/\?([^#]*)/.exec(url)?.[1] ?? '', maskText),
  ...(body.size === 0 && !body.isOmitted
    ? {}
    : { postData: toPostData(body, findHeader(headers, 'content-type') ?? '', maskText) }),
  headersSize: UNKNOWN,
  bodySize: sizeOf(body),
})

const sizeOf = (body: Body): number => (body.isOmitted && body.size === 0 ? UNKNOWN : body.size)

const toPostData = (body: Body, mimeType: string, maskText: MaskText): PostData => ({
  mimeType,
  ...(FORM.test(mimeType) && body.encoding === 'utf8' ? { params: toHarParams(body.content, maskText) } : {}),
  ...toBodyText(body),
})

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

export const toHarResponse = ({ status, headers, body }: NonNullable<Exchange['response']>): Response => ({
  status,
  statusText: '',
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: toHarHeaders(headers),
  content: toContent(body, findHeader(headers, 'content-type') ?? ''),
  redirectURL: findHeader(headers, 'location') ?? '',
  headersSize: UNKNOWN,
  bodySize: sizeOf(body),
})

const toContent = (body: Body, mimeType: string): Content => ({
  size: sizeOf(body),
  mimeType,
  ...toBodyText(body),
})

/** What browsers write if there was no response. */
export const noResponse = (error: string | null): Response & { readonly _error: string } => ({
  status: 0,
  statusText: '',
  httpVersion: '',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: 'x-unknown' },
  redirectURL: '',
  headersSize: UNKNOWN,
  bodySize: UNKNOWN,
  _error: error ?? 'no answer came',
})

function toBodyText(body: Body): Pick<PostData, 'text' | 'encoding' | 'comment'> {
  const kept = countKeptBytes(body)
  return {
    text: body.content,
    ...(body.encoding === 'base64' ? { encoding: body.encoding } : {}),
    ...(body.isOmitted
      ? { comment: 'Left out of the recording.' }
      : kept < body.size
        ? { comment: `Cut: the first ${kept} of ${body.size} bytes.` }
        : {}),
  }
}

const toHarHeaders = (headers: Headers) => headers.map(([name, value]) => ({ name, value }))

const toHarParams = (text: string, maskText: MaskText) =>
  [...new URLSearchParams(text)].map(([name, value]) => ({ name: maskText(name), value: maskText(value) }))

function toDetails(event: RecordedEvent): HarDetails {
  const { seq, type } = event
  switch (event.type) {
    case 'api.request':
    case 'api.limited':
      return {
        seq,
        type,
        entryPoint: 'api',
        assumed: event.assumed,
        ...omitUndefined({
          processingMs: event.processingMs,
          upstream: event.upstream,
          differences: event.differences,
          comparisonSkipped: event.comparisonSkipped,
        }),
      }
    case 'checkout.viewed':
      return { seq, type, entryPoint: 'checkout' }
    case 'tunnel.captured':
      return {
        seq,
        type,
        entryPoint: 'tunnel',
        ...(event.capturedDeliveryId === null ? {} : { deliveryId: event.capturedDeliveryId }),
      }
    case 'delivery.attempted': {
      const { deliveryId, attempt, reason, via, storedIn } = event
      return { seq, type, deliveryId, attempt, reason, ...omitUndefined({ via, storedIn }) }
    }
    case 'check.sent':
      return { seq, type, ...(event.check === null ? {} : { check: event.check }) }
    default:
      return { seq, type }
  }
}
