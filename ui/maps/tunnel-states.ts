import { computed } from '@preact/signals'
import type { TunnelView } from '../../server/contract/views.ts'
import { api } from '../api.ts'
import { createResource } from '../resource.ts'
import { connection, log } from '../session.ts'

const tunnelsVersion = computed(() => log.journal.value.tunnelsVersion)

let underway: Promise<readonly TunnelView[]> | undefined
let next: Promise<readonly TunnelView[]> | undefined

/** What tunnels answer, and who listens. However much comes to them, it is asked for one at a time. */
export const tunnelStates = createResource(() =>
  connection.value === 'live' && tunnelsVersion.value >= 0 ? load() : undefined,
)

function load(): Promise<readonly TunnelView[]> {
  if (underway) {
    next ??= underway
      .catch(() => {})
      .then(() => {
        next = undefined
        return load()
      })
    return next
  }
  underway = ask().finally(() => (underway = undefined))
  return underway
}

async function ask(): Promise<readonly TunnelView[]> {
  const all: TunnelView[] = []
  for (let isMore = true; isMore;) {
    const query = { after: all.at(-1)?.name ?? '', limit: '1000' }
    const { tunnels, more } = await (await api.tunnels.$get({ query })).json()
    all.push(...tunnels)
    isMore = more
  }
  return all
}
