import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { dropHopByHop } from '../../domain/http/proxy-headers.ts'
import { pairHeaders } from '../../domain/http/exchange.ts'
import { pinnedTlsOptions } from '../../platform/tls/pinned-tls-options.ts'
import { MARK } from './forwarded-mark.ts'

const CONNECT_TIMEOUT_MS = 2_000

/** The connection to the leader. All replicas have the same certificate. */
export interface LeaderConnection {
  /**
   * Sends a request with its original header fields. If there is no response, calls `onFailure` once; `wasSent` then says whether
   * the leader may have received the request.
   */
  open(
    url: string,
    incoming: IncomingMessage,
    isUpgrade: boolean,
    onFailure: (wasSent: boolean) => void,
  ): ClientRequest
  close(): void
}

export function createLeaderConnection(certificate: string | undefined): LeaderConnection {
  const options = { keepAlive: true, ...pinnedTlsOptions(certificate) }
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)
  return {
    open(url, incoming, isUpgrade, onFailure) {
      const { protocol, hostname, port } = new URL(url)
      const isTls = protocol === 'https:'
      const target = {
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port === '' ? undefined : port,
        method: incoming.method,
        path: incoming.url,
        headers: requestHeaders(incoming, isUpgrade),
        setHost: false,
      }
      const request = isTls
        ? requestHttps({ ...target, agent: https, servername: '' })
        : requestHttp({ ...target, agent: http })
      let isConnected = false
      const connected = (): void => {
        isConnected = true
        clearTimeout(late)
      }
      const late = setTimeout(() => request.destroy(), CONNECT_TIMEOUT_MS)
      request.once('socket', (socket: Duplex & { connecting: boolean }) => {
        if (request.reusedSocket || !socket.connecting) connected()
        else socket.once(isTls ? 'secureConnect' : 'connect', connected)
      })
      let hasAnswer = false
      request.once('response', () => (hasAnswer = true))
      request.once('upgrade', () => (hasAnswer = true))
      request.on('error', () => undefined)
      request.once('close', () => {
        clearTimeout(late)
        if (!hasAnswer) onFailure(isConnected)
      })
      return request
    },
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/** Keeps the names, sequence and case of header fields, because the journal shows them, and the chunked encoding. */
function requestHeaders({ rawHeaders }: IncomingMessage, isUpgrade: boolean): string[] {
  const all = pairHeaders(rawHeaders)
  const encoding = all.filter(([name]) => name.toLowerCase() === 'transfer-encoding')
  const kept = isUpgrade
    ? all.filter(([name]) => !name.toLowerCase().startsWith('proxy-'))
    : [...dropHopByHop(all), ...encoding]
  return [...kept, [MARK, 'forwarded']].flat()
}

/** The header fields of the leader's response, for the client. */
export const responseHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  dropHopByHop(pairHeaders(rawHeaders)).flat()
