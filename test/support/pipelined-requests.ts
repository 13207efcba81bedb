import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { payLinkUrl } from '../../server/domain/links/link.ts'

export const PAY = 'method=card&outcome=pay'
export const FORM = 'application/x-www-form-urlencoded'

/** Opens a connection for pipelined requests, which are answered in sequence. */
export async function connectTo({ url }: { readonly url: string }): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  await once(socket, 'connect')
  return socket
}

/** The bytes of a POST request. */
function rawPost(path: string, type: string, body: string): string {
  const headers = ['host: 127.0.0.1', `content-type: ${type}`, `content-length: ${body.length}`]
  return [`POST ${path} HTTP/1.1`, ...headers, '', body].join('\r\n')
}

/** A request that waits for a declined payment, and so delays all later answers on the same connection. */
export const waitRequest = (after = 0): string =>
  rawPost(
    '/_sandbox/v1/events/wait',
    'application/json',
    JSON.stringify({ match: { type: 'link.declined' }, after }),
  )

export const payRequest = (payId: number): string => rawPost(payLinkUrl(payId, ''), FORM, PAY)
