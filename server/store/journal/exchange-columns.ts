import { decodeBody, encodeBase64, type Body, type Exchange } from '../../domain/http/exchange.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { EventTable } from '../schema.ts'

type ExchangeColumns = Pick<EventTable, 'exchange' | 'requestBody' | 'responseBody'>

/**
 * The part of an exchange that is stored as JSON. Bodies have their own columns, because JSON would escape their quotes once
 * more.
 */
export interface StoredExchange {
  readonly request: Omit<Exchange['request'], 'body'> & StoredSize
  readonly response: (Omit<NonNullable<Exchange['response']>, 'body'> & StoredSize) | null
  /** Rarely set, so its body has no separate column. */
  readonly sandboxResponse?: Exchange['sandboxResponse']
}

type StoredSize = Pick<Body, 'size' | 'isOmitted'>

const NO_EXCHANGE: ExchangeColumns = { exchange: null, requestBody: null, responseBody: null }

export function toColumns(exchange: Exchange | undefined): ExchangeColumns {
  if (!exchange) return NO_EXCHANGE
  const { request, response, sandboxResponse } = exchange
  const stored: StoredExchange = {
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      size: request.body.size,
      isOmitted: request.body.isOmitted,
    },
    response: response && {
      status: response.status,
      headers: response.headers,
      size: response.body.size,
      isOmitted: response.body.isOmitted,
    },
    sandboxResponse,
  }
  return {
    exchange: JSON.stringify(stored),
    requestBody: toColumn(request.body),
    responseBody: response && toColumn(response.body),
  }
}

export function fromColumns({ exchange, requestBody, responseBody }: ExchangeColumns): Exchange | null {
  if (exchange === null) return null
  const { request, response, ...rest } = JSON.parse(exchange) as StoredExchange
  return {
    request: withBody(request, requestBody),
    response: response && withBody(response, responseBody),
    ...rest,
  }
}

const toColumn = (body: Body): string | Uint8Array =>
  body.encoding === 'utf8' ? body.content : decodeBody(body)

function withBody<Message extends StoredSize>(
  { size, isOmitted, ...head }: Message,
  stored: string | Uint8Array | null,
): Omit<Message, keyof StoredSize> & { readonly body: Body } {
  const isText = stored === null || typeof stored === 'string'
  const body: Body = isText
    ? { encoding: 'utf8', content: stored ?? '', size }
    : { encoding: 'base64', content: encodeBase64(stored), size }
  return { ...head, body: { ...body, ...omitUndefined({ isOmitted }) } }
}
