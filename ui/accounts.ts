import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { AccountView } from '../server/contract/views.ts'
import { createResource } from './resource.ts'
import { connection, settingsVersion } from './session.ts'
import { source } from './source.ts'

/** Goes up when somebody tries again. */
export const reloadCount = signal(0)
export const reload = () => (reloadCount.value += 1)

/** The accounts as they are now. */
export const accounts = createResource(() => {
  const canAsk = connection.value === 'live' || connection.value === 'report'
  return canAsk && settingsVersion.value + reloadCount.value >= 0 ? source.accounts() : undefined
})

const newest = signal<readonly AccountView[]>([])
effect(() => {
  if (accounts.value.state === 'loaded') newest.value = accounts.value.value
})

/** The accounts as far as they are known: those before, while they cannot be loaded. */
export const accountList: ReadonlySignal<readonly AccountView[]> = newest

/** The name of an account, or its id while the name is unknown. */
export const accountName = (id: string): string =>
  accountList.value.find((account) => account.id === id)?.name ?? id
