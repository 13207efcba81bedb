import type { CapturedRequestView, TunnelView } from '../contract/views.ts'
import type { Headers } from '../domain/http/exchange.ts'
import type { TunnelAnswer } from '../domain/network/tunnel.ts'
import type { Request } from './request.ts'

export interface TunnelAnswerOptions {
  /** 200 by default. */
  readonly status?: number
  /** Pairs of name and value. */
  readonly headers?: Headers
  readonly body?: string
  /** How long it takes its time, in milliseconds. */
  readonly delayMs?: number
}

export interface ListenOptions {
  /** The name of the tunnel. */
  readonly name: string
  /** The local address that is posted to, whose path comes before what follows the tunnel's name. */
  readonly to: string
  /** What the listener is called. By default the machine and the address. */
  readonly as?: string
  /** Also what was captured from this `seq` on, or all of it. By default only what comes. */
  readonly since?: number | 'all'
}

/** Someone who posts what reaches a tunnel to a local address, until it is closed. */
export interface TunnelListener {
  readonly id: string
  /** The address to be notified at. */
  readonly url: string
  /** Ends it. The sandbox forgets it, and nothing waits for it. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Some of what a tunnel captured, and whether it has more that came before, for `before` of the next call. */
export interface Captures {
  readonly requests: readonly CapturedRequestView[]
  readonly more: boolean
}

/** Addresses of the sandbox that capture what reaches them, or have it posted to a local address. */
export interface Tunnels {
  /** All of which anything is known. */
  list(): Promise<readonly TunnelView[]>
  /** What a tunnel captured: the newest 20, newest last, with their bytes, and whether there is more before them. */
  requests(name: string, options?: { readonly limit?: number; readonly before?: number }): Promise<Captures>
  /** Forgets what a tunnel captured. */
  clear(name: string): Promise<void>
  /** Sets what a tunnel answers where nobody listens. What is left out is as at first. */
  setAnswer(name: string, answer?: TunnelAnswerOptions): Promise<TunnelAnswer>
  /** Posts what reaches a tunnel to a local address. Resolves once it is connected. */
  listen(options: ListenOptions): Promise<TunnelListener>
  forget(name: string, listener: string): Promise<void>
}

interface TunnelPage {
  readonly tunnels: readonly TunnelView[]
  readonly more: boolean
}

interface TunnelContext {
  readonly url: string
  readonly token: string | undefined
  readonly certificate: string | undefined
  readonly closeLater: (listener: TunnelListener) => void
}

export function createTunnels(
  request: Request,
  { url, token, certificate, closeLater: keep }: TunnelContext,
): Tunnels {
  async function forget(name: string, listener: string): Promise<void> {
    await request('DELETE', `${tunnelPath(name)}/listeners/${encodeURIComponent(listener)}`)
  }

  return {
    async list() {
      const all: TunnelView[] = []
      for (let isMore = true; isMore;) {
        const query = { after: all.at(-1)?.name, limit: 1000 }
        const { tunnels, more } = await request<TunnelPage>('GET', '/tunnels', { query })
        all.push(...tunnels)
        isMore = more
      }
      return all
    },
    requests: (name, query = {}) => request('GET', `${tunnelPath(name)}/requests`, { query }),
    async clear(name) {
      await request('DELETE', `${tunnelPath(name)}/requests`)
    },
    setAnswer: (name, answer = {}) => request('PUT', `${tunnelPath(name)}/answer`, { body: answer }),
    async listen({ name, to, as, since }) {
      // Whoever listens at nothing has no use for a WebSocket.
      const { startListener } = await import('./start-listener.ts')
      const from = since === 'all' ? 0 : since
      const { id, end } = await startListener({ url, token, certificate, name, to, as, since: from })
      let ending: Promise<void> | undefined
      const close = (): Promise<void> =>
        (ending ??= end().then(() =>
          // A sandbox that is gone, or was reset, has forgotten it.
          forget(name, id).catch(() => {}),
        ))
      const listener = { id, url: `${url}/tunnel/${name}`, close, [Symbol.asyncDispose]: close }
      keep(listener)
      return listener
    },
    forget,
  }
}

const tunnelPath = (name: string): string => `/tunnels/${encodeURIComponent(name)}`
