import { computed } from '@preact/signals'
import type { presentAccount } from '../server/control/present.ts'
import { createResource } from './resource.ts'
import { connection, log } from './session.ts'
import { source } from './source.ts'

const settings = computed(() => log.journal.value.settings)

/** The accounts as they are now. */
export const accounts = createResource(() => {
  const isKnown = (connection.value === 'live' || connection.value === 'report') && settings.value >= 0
  return isKnown ? source.accounts() : undefined
})

export type ShownAccount = ReturnType<typeof presentAccount>

export const accountList = computed(() => (accounts.value.state === 'loaded' ? accounts.value.value : []))

/** The name of an account, or its id while the name is unknown. */
export const accountName = (id: string): string =>
  accountList.value.find((account) => account.id === id)?.name ?? id
