import { computed } from '@preact/signals'
import type { FaultView } from '../../../server/contract/views.ts'
import { reloadCount } from '../../data/accounts.ts'
import { request, withErrorToast } from '../../data/api.ts'
import { createResource } from '../../data/resource.ts'
import { connection, log } from '../../data/session.ts'

const faultsVersion = computed(() => log.journal.value.faultsVersion)

export const faults = createResource(() =>
  connection.value === 'live' && faultsVersion.value >= 0 && reloadCount.value >= 0 ? load() : undefined,
)

/** How many faults can still be triggered. The navigation shows it, because a forgotten fault is hard to find. */
export const enabledFaults = computed(() =>
  faults.value.state === 'loaded' ? faults.value.value.filter(({ remaining }) => remaining !== 0).length : 0,
)

async function load(): Promise<readonly FaultView[]> {
  return (await request('GET /faults')).faults
}

export const removeFault = ({ id }: Pick<FaultView, 'id'>): Promise<unknown> =>
  withErrorToast(() => request('DELETE /faults/:id', { param: { id } }))

export const removeAllFaults = (): Promise<unknown> => request('DELETE /faults')
