import { computed } from '@preact/signals'
import { api, attempt } from '../api.ts'
import type { FaultView } from '../../server/contract/views.ts'
import { createResource } from '../resource.ts'
import { connection, log } from '../session.ts'

const strikes = computed(() => log.journal.value.strikes)

/** The faults there are, with how often each has struck. */
export const armed = createResource(() =>
  connection.value === 'live' && strikes.value >= 0 ? load() : undefined,
)

async function load(): Promise<readonly FaultView[]> {
  const answer = await api.faults.$get({ query: {} })
  return (await answer.json()).faults
}

export const disarm = ({ id }: Pick<FaultView, 'id'>): Promise<unknown> =>
  attempt(() => api.faults[':id'].$delete({ param: { id: String(id) } }))

export const disarmAll = (): Promise<unknown> => attempt(() => api.faults.$delete({ query: {} }))
