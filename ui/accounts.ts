import { computed } from '@preact/signals'
import { api } from './api.ts'
import { createResource } from './resource.ts'
import { connection, log } from './session.ts'

const settings = computed(() => log.journal.value.settings)

/** The accounts as they are now. */
export const accounts = createResource(() => {
  const known = connection.value === 'live' && settings.value >= 0
  return known ? loadAccounts() : undefined
})

async function loadAccounts() {
  const answer = await api.accounts.$get()
  return (await answer.json()).accounts
}

export type ShownAccount = Awaited<ReturnType<typeof loadAccounts>>[number]

export const accountList = computed(() => (accounts.value.state === 'loaded' ? accounts.value.value : []))

/** The name of an account, or its id while the name is unknown. */
export const accountName = (id: string): string =>
  accountList.value.find((account) => account.id === id)?.name ?? id
