import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { payLinkUrl } from '../../server/domain/links/link.ts'

export const PAY = 'method=card&outcome=pay'
export const FORM = 'application/x-www-form-urlencoded'

/** A connection on which requests follow each other, none of which is answered before those in front of it. */
export async function connectTo({ url }: { readonly url: string }): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  await once(socket, 'connect')
  return socket
}

/** A POST as it goes over the wire. */
function rawPost(path: string, type: string, body: string): string {
  const headers = ['host: 127.0.0.1', `content-type: ${type}`, `content-length: ${body.length}`]
  return [`POST ${path} HTTP/1.1`, ...headers, '', body].join('\r\n')
}

/** A request whose answer stands before all others on its connection until an event comes. */
export const untilEvent = (match: object, after = 0): string =>
  rawPost('/_sandbox/v1/events/wait', 'application/json', JSON.stringify({ match, after }))

export const payForm = (payId: number): string => rawPost(payLinkUrl(payId, ''), FORM, PAY)
