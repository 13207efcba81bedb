import { DEFAULT_TUNNEL_ANSWER, type Listener } from '../domain/network/tunnel.ts'
import * as capturedRequests from '../store/repositories/captured-requests.ts'
import * as listeners from '../store/repositories/listeners.ts'
import * as pendingRequests from '../store/repositories/pending-requests.ts'
import * as tunnels from '../store/repositories/tunnels.ts'
import type { TunnelView } from '../contract/views.ts'
import type { ControlContext } from './context.ts'

export async function presentTunnels(
  { store: { db }, listeners: connections }: Pick<ControlContext, 'store' | 'listeners'>,
  names: readonly string[],
  baseUrl: string,
): Promise<TunnelView[]> {
  const listenersOf = new Map<string, Listener[]>()
  for (const listener of await listeners.list(db, names)) {
    listenersOf.set(listener.tunnel, [...(listenersOf.get(listener.tunnel) ?? []), listener])
  }
  const pending = new Map(
    (await pendingRequests.counts(db, names)).map(({ tunnel, id, count }) => [`${tunnel} ${id}`, count]),
  )
  const answers = await tunnels.listAnswers(db, names)
  const captured = await capturedRequests.counts(db, names)
  return names.map((name) => ({
    name,
    url: `${baseUrl}/tunnel/${name}`,
    answer: answers.get(name) ?? DEFAULT_TUNNEL_ANSWER,
    requests: captured.get(name) ?? 0,
    listeners: (listenersOf.get(name) ?? []).map(({ tunnel, id, to, connectedAt, awaySince }) => ({
      id,
      to,
      state: awaySince === null ? ('connected' as const) : ('away' as const),
      target: targetState(connections.isUp({ tunnel, id })),
      connectedAt,
      awaySince,
      waiting: pending.get(`${tunnel} ${id}`) ?? 0,
    })),
  }))
}

const targetState = (isUp: boolean | null): 'up' | 'down' | null =>
  isUp === null ? null : isUp ? 'up' : 'down'
