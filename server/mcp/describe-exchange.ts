import type { Body, Exchange, Headers, Response } from '../domain/http/exchange.ts'
import { createMask } from '../domain/secrets/mask.ts'

const MAX_HEADERS = 40
const MAX_BODY_LENGTH = 4_000

/** The bytes of both sides. Headers that contain secrets are masked, because assistants pass them on. */
export async function describeExchange(exchange: Exchange) {
  const mask = createMask([]).forExchange(exchange)
  const { request, response, sandboxResponse } = await mask.exchange(exchange)
  return {
    request: {
      line: `${request.method} ${request.url}`,
      headers: toLines(request.headers),
      ...toText(request.body),
    },
    response: response === null ? 'no response' : describeResponse(response),
    ...(sandboxResponse && { sandboxWouldHaveAnswered: describeResponse(sandboxResponse) }),
  }
}

const describeResponse = ({ status, headers, body }: Response) => ({
  status,
  headers: toLines(headers),
  ...toText(body),
})

const toLines = (headers: Headers): readonly string[] => [
  ...headers.slice(0, MAX_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ...(headers.length > MAX_HEADERS ? [`… (${headers.length - MAX_HEADERS} more headers)`] : []),
]

const toText = ({ encoding, content, size }: Body) => ({
  bytes: size,
  [encoding === 'base64' ? 'bodyAsBase64' : 'body']:
    content.length > MAX_BODY_LENGTH ? `${content.slice(0, MAX_BODY_LENGTH).toWellFormed()}…` : content,
})
