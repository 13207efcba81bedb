import { computed } from '@preact/signals'
import type { FaultView } from '../../../server/contract/views.ts'
import { reloadCount } from '../../data/accounts.ts'
import { request, withErrorToast } from '../../data/api.ts'
import { createResource } from '../../data/resource.ts'
import { showToast } from '../../browser/toasts.ts'
import { connection, log } from '../../data/session.ts'

const faultsVersion = computed(() => log.journal.value.faultsVersion)

export const faults = createResource(() =>
  connection.value === 'live' && faultsVersion.value >= 0 && reloadCount.value >= 0 ? load() : undefined,
)

/** The number of faults that can still be triggered. The navigation shows it, because a forgotten fault is hard to find. */
export const enabledFaults = computed(() =>
  faults.value.state === 'loaded' ? faults.value.value.filter(({ remaining }) => remaining !== 0).length : 0,
)

async function load(): Promise<readonly FaultView[]> {
  return (await request('GET /faults')).faults
}

export const removeFaultById = (id: number): Promise<unknown> =>
  withErrorToast(() => request('DELETE /faults/:id', { param: { id } }))

/** Removes a fault. A fault that is not finished can be added again, and then begins with its first step. */
export const removeFault = (fault: FaultView, name: string): Promise<unknown> =>
  withErrorToast(async () => {
    await request('DELETE /faults/:id', { param: { id: fault.id } })
    if (fault.remaining === 0) return
    showToast({
      tone: 'ok',
      text: `${name}: removed`,
      action: { label: 'Undo', run: () => withErrorToast(() => addAgain(fault)) },
    })
  })

const addAgain = ({ on, script, times, probability, seed, operation, target, accountId }: FaultView) =>
  request('POST /faults', {
    query: accountId === null ? {} : { account: accountId },
    json: {
      on,
      script,
      times,
      probability,
      seed,
      ...(operation !== null && { operation }),
      ...(target !== null && { target }),
    },
  })

export const removeAllFaults = (): Promise<unknown> => request('DELETE /faults')
