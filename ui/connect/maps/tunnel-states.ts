import { computed } from '@preact/signals'
import type { TunnelView } from '../../../server/contract/views.ts'
import { request } from '../../data/api.ts'
import { createResource } from '../../data/resource.ts'
import { connection, log } from '../../data/session.ts'

const tunnelsVersion = computed(() => log.journal.value.tunnelsVersion)

let running: Promise<readonly TunnelView[]> | undefined
let next: Promise<readonly TunnelView[]> | undefined

/** The answers and listeners of the tunnels. Only one request runs at a time, however busy the tunnels are. */
export const tunnelStates = createResource(() =>
  connection.value === 'live' && tunnelsVersion.value >= 0 ? load() : undefined,
)

function load(): Promise<readonly TunnelView[]> {
  if (running) {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return load()
      })
    return next
  }
  running = loadAllPages().finally(() => (running = undefined))
  return running
}

async function loadAllPages(): Promise<readonly TunnelView[]> {
  const all: TunnelView[] = []
  for (let hasMore = true; hasMore;) {
    const query = { after: all.at(-1)?.name ?? '', limit: '1000' }
    const { tunnels, more } = await request('GET /tunnels', { query })
    all.push(...tunnels)
    hasMore = more
  }
  return all
}
