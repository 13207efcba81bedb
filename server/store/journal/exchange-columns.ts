import type { Body, Exchange } from '../../domain/http/exchange.ts'
import type { EventTable } from '../schema.ts'

type ExchangeColumns = Pick<EventTable, 'exchange' | 'requestBody' | 'responseBody'>

/** The part of an exchange that is stored as JSON. The bodies are columns, as JSON would escape their quotes again. */
export interface StoredExchange {
  readonly request: Omit<Exchange['request'], 'body'> & Pick<Body, 'size'>
  readonly response: (Omit<NonNullable<Exchange['response']>, 'body'> & Pick<Body, 'size'>) | null
}

const NO_EXCHANGE: ExchangeColumns = { exchange: null, requestBody: null, responseBody: null }

export function toColumns(exchange: Exchange | undefined): ExchangeColumns {
  if (!exchange) return NO_EXCHANGE
  const { request, response } = exchange
  const stored: StoredExchange = {
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      size: request.body.size,
    },
    response: response && { status: response.status, headers: response.headers, size: response.body.size },
  }
  return {
    exchange: JSON.stringify(stored),
    requestBody: toColumn(request.body),
    responseBody: response && toColumn(response.body),
  }
}

export function fromColumns({ exchange, requestBody, responseBody }: ExchangeColumns): Exchange | null {
  if (exchange === null) return null
  const { request, response } = JSON.parse(exchange) as StoredExchange
  const { size: requestSize, ...requestHead } = request
  if (!response) return { request: { ...requestHead, body: fromColumn(requestBody, requestSize) }, response }
  const { size: responseSize, ...responseHead } = response
  return {
    request: { ...requestHead, body: fromColumn(requestBody, requestSize) },
    response: { ...responseHead, body: fromColumn(responseBody, responseSize) },
  }
}

const toColumn = ({ encoding, content }: Body): string | Uint8Array =>
  encoding === 'utf8' ? content : Buffer.from(content, 'base64')

const fromColumn = (stored: string | Uint8Array | null, size: number): Body =>
  stored === null || typeof stored === 'string'
    ? { encoding: 'utf8', content: stored ?? '', size }
    : { encoding: 'base64', content: Buffer.from(stored).toString('base64'), size }
