import type { CapturedRequestView, TunnelView } from '../contract/views.ts'
import type { Headers } from '../domain/http/exchange.ts'
import type { TunnelAnswer } from '../domain/network/tunnel.ts'
import type { Request } from './request.ts'

/** What a tunnel responds with if no listener is connected. */
export interface TunnelAnswerOptions {
  /** 200 by default. */
  readonly status?: number
  /** Pairs of name and value. */
  readonly headers?: Headers
  readonly body?: string
  /** How long the tunnel waits before it responds, in milliseconds. 0 by default. */
  readonly delayMs?: number
}

export interface ListenOptions {
  /** The name of the tunnel. */
  readonly tunnel: string
  /** The local URL to forward to. The part of the request's path that follows the tunnel's name is appended. */
  readonly forwardTo: string
  /** The name of the listener. By default, it consists of the machine's name and `forwardTo`. */
  readonly name?: string
  /**
   * Which captured requests are also forwarded: all, or those after the event with this `seq`. By default, only new requests are.
   */
  readonly since?: number | 'all'
}

/** A listener that forwards the requests of a tunnel to a local address. */
export interface TunnelListener {
  readonly id: string
  /** The URL of the tunnel, for `paymentEndpoint`. */
  readonly url: string
  /** Disconnects the listener and removes it from the sandbox. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A page of captured requests. */
interface Captures {
  /** Newest last. */
  readonly requests: readonly CapturedRequestView[]
  /** Whether there are older requests. Pass the first `seq` as `before` to read them. */
  readonly more: boolean
}

/** Tunnels: addresses of the sandbox that capture requests or forward them to a local address. */
export interface Tunnels {
  /** All tunnels that have requests, listeners or a response of their own. */
  list(): Promise<readonly TunnelView[]>
  /** The newest captured requests with their bytes. 20 by default. */
  requests(name: string, options?: { readonly limit?: number; readonly before?: number }): Promise<Captures>
  /** Deletes the captured requests of a tunnel. */
  clear(name: string): Promise<void>
  /** Sets what a tunnel responds with if no listener is connected. Fields that are left out get their defaults. */
  setAnswer(name: string, answer?: TunnelAnswerOptions): Promise<TunnelAnswer>
  /** Forwards the requests of a tunnel to a local address. Resolves once the listener is connected. */
  listen(options: ListenOptions): Promise<TunnelListener>
  /** Removes a listener and the requests that are waiting for it. */
  forget(name: string, listener: string): Promise<void>
}

interface TunnelContext {
  readonly url: string
  readonly token: string | undefined
  readonly certificate: string | undefined
  readonly closeWithSandbox: (listener: TunnelListener) => void
}

/** @internal */
export function createTunnels(
  request: Request,
  { url, token, certificate, closeWithSandbox }: TunnelContext,
): Tunnels {
  async function forget(name: string, listener: string): Promise<void> {
    await request('DELETE /tunnels/:name/listeners/:id', { param: { name, id: listener } })
  }

  return {
    async list() {
      const all: TunnelView[] = []
      for (let isMore = true; isMore;) {
        const query = { after: all.at(-1)?.name, limit: 1000 }
        const { tunnels, more } = await request('GET /tunnels', { query })
        all.push(...tunnels)
        isMore = more
      }
      return all
    },
    requests: (name, query = {}) => request('GET /tunnels/:name/requests', { param: { name }, query }),
    async clear(name) {
      await request('DELETE /tunnels/:name/requests', { param: { name } })
    },
    setAnswer: (name, answer = {}) => request('PUT /tunnels/:name/answer', { param: { name }, json: answer }),
    async listen({ tunnel, forwardTo, name, since }) {
      // Loaded on demand, because most programs do not need the WebSocket client.
      const { startListener } = await import('./listener/start-listener.ts')
      const from = since === 'all' ? 0 : since
      const { id, end } = await startListener({
        url,
        token,
        certificate,
        tunnel,
        to: forwardTo,
        listener: name,
        since: from,
      })
      let ending: Promise<void> | undefined
      const close = (): Promise<void> =>
        (ending ??= end().then(() =>
          // A sandbox that was closed or reset no longer knows the listener.
          forget(tunnel, id).catch(() => {}),
        ))
      const listener = { id, url: `${url}/tunnel/${tunnel}`, close, [Symbol.asyncDispose]: close }
      closeWithSandbox(listener)
      return listener
    },
    forget,
  }
}
