import type { Content, Entry, Page, Request, Response, Timings } from 'har-format'
import type { AssumptionName } from '../behaviors/behavior.ts'
import { defined } from '../text/omit-undefined.ts'
import type { Door, Recorded } from './event.ts'
import { keptBytes, type Body, type Exchange, type Headers } from '../http/exchange.ts'
import { excerpt } from '../text/truncate.ts'
import type { Link } from '../links/link.ts'
import { toEuros } from '../money/money.ts'

/** What the sandbox knows of an exchange beyond what HTTP Archives have a field for. */
export interface HarDetails {
  readonly seq: number
  readonly type: Recorded['type']
  /** Where it came in. A webhook went out. */
  readonly door?: Door
  /** The webhook that was sent, or that a tunnel captured. */
  readonly deliveryId?: number
  readonly attempt?: number
  /** Why it went to this target. */
  readonly reason?: string
  /** The case of a check that it is of. */
  readonly check?: string
  /** Where it went instead. */
  readonly via?: string
  readonly assumed?: readonly AssumptionName[]
  /** How long the sandbox took to make the answer, where a fault may have delayed it. */
  readonly processingMs?: number
}

/** As browsers write it: for a form the fields and the text, of which the format has one or the other. */
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

type Masked = (text: string) => string

/**
 * An exchange with the event that tells of it, in the words of HTTP Archive 1.2. What is decoded for it goes through
 * `masked`, as it may read otherwise than what was masked before.
 */
export function harEntry(event: Recorded, exchange: Exchange, masked: Masked = (text) => text): HarEntry {
  const error = errorOf(event)
  return {
    ...(event.linkId === null ? {} : { pageref: pageId(event.linkId) }),
    startedDateTime: event.type === 'delivery.attempted' ? (event.startedAt ?? event.at) : event.at,
    time: 'ms' in event ? event.ms : UNKNOWN,
    request: requestOf(exchange.request, masked),
    response: exchange.response
      ? { ...responseOf(exchange.response), ...(error === null ? {} : { _error: error }) }
      : noResponse(error),
    cache: {},
    timings: timingsOf(event),
    ...(error === null ? {} : { comment: error }),
    _sandbox: detailsOf(event),
  }
}

/** What went wrong instead of an answer, or in the middle of one. */
function errorOf(event: Recorded): string | null {
  if (event.type === 'tunnel.captured') return event.status === null ? 'forwarded to listeners' : null
  return 'httpStatus' in event || event.type === 'tunnel.answered' ? event.error : null
}

/** The page that groups whatever was exchanged for one payment. */
export const harPage = ({ id, payId, amount, note }: Link, startedDateTime: string): Page => ({
  startedDateTime,
  id: pageId(id),
  title: `Payment ${payId}, €${toEuros(amount).toFixed(2)}${note === '' ? '' : `: ${excerpt(note, NOTE_SHOWN)}`}`,
  pageTimings: {},
})

const UNKNOWN = -1
const NOTE_SHOWN = 100

const pageId = (linkId: number): string => `link-${linkId}`

/** Only the whole is measured, of which nearly all is waiting. */
const timingsOf = (event: Recorded): Timings => ({
  blocked: UNKNOWN,
  dns: UNKNOWN,
  connect: UNKNOWN,
  ssl: UNKNOWN,
  send: UNKNOWN,
  wait: 'ms' in event ? event.ms : UNKNOWN,
  receive: UNKNOWN,
})

const requestOf = (
  { method, url, headers, body }: Exchange['request'],
  masked: Masked,
): HarEntry['request'] => ({
  method,
  url,
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: fieldsOf(headers),
  queryString: pairsOf(/\?([^#]*)/.exec(url)?.[1] ?? '', masked),
  ...(body.size === 0 ? {} : { postData: postDataOf(body, valueOf(headers, 'content-type'), masked) }),
  headersSize: UNKNOWN,
  bodySize: body.size,
})

const postDataOf = (body: Body, mimeType: string, masked: Masked): PostData => ({
  mimeType,
  ...(FORM.test(mimeType) && body.encoding === 'utf8' ? { params: pairsOf(body.content, masked) } : {}),
  ...textOf(body),
})

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

const responseOf = ({ status, headers, body }: NonNullable<Exchange['response']>): Response => ({
  status,
  statusText: '',
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: fieldsOf(headers),
  content: contentOf(body, valueOf(headers, 'content-type')),
  redirectURL: valueOf(headers, 'location'),
  headersSize: UNKNOWN,
  bodySize: body.size,
})

const contentOf = (body: Body, mimeType: string): Content => ({ size: body.size, mimeType, ...textOf(body) })

/** What browsers write where no answer came. */
const noResponse = (error: string | null): Response & { readonly _error: string } => ({
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

function textOf(body: Body): Pick<PostData, 'text' | 'encoding' | 'comment'> {
  const kept = keptBytes(body)
  return {
    text: body.content,
    ...(body.encoding === 'base64' ? { encoding: body.encoding } : {}),
    ...(kept < body.size ? { comment: `Cut: the first ${kept} of ${body.size} bytes.` } : {}),
  }
}

const fieldsOf = (headers: Headers) => headers.map(([name, value]) => ({ name, value }))

const pairsOf = (text: string, masked: Masked) =>
  [...new URLSearchParams(text)].map(([name, value]) => ({ name: masked(name), value: masked(value) }))

const valueOf = (headers: Headers, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''

function detailsOf(event: Recorded): HarDetails {
  const { seq, type } = event
  switch (event.type) {
    case 'api.request':
    case 'api.limited':
      return {
        seq,
        type,
        door: 'api',
        assumed: event.assumed,
        ...defined({ processingMs: event.processingMs }),
      }
    case 'checkout.viewed':
      return { seq, type, door: 'checkout' }
    case 'tunnel.captured':
      return { seq, type, door: 'tunnel', ...(event.carried === null ? {} : { deliveryId: event.carried }) }
    case 'delivery.attempted': {
      const { deliveryId, attempt, reason, via } = event
      return { seq, type, deliveryId, attempt, reason, ...(via === undefined ? {} : { via }) }
    }
    case 'check.sent':
      return { seq, type, ...(event.check === null ? {} : { check: event.check }) }
    default:
      return { seq, type }
  }
}
