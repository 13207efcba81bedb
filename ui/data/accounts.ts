import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { AccountView } from '../../server/contract/views.ts'
import { createResource } from './resource.ts'
import { canLoad } from './session.ts'
import { source } from './source.ts'

/** Increases whenever the user presses "Try again". */
export const reloadCount = signal(0)
export const reload = () => (reloadCount.value += 1)

export const accounts = createResource(() =>
  canLoad() && reloadCount.value >= 0 ? source.accounts() : undefined,
)

const lastLoaded = signal<readonly AccountView[]>([])
effect(() => {
  if (accounts.value.state === 'loaded') lastLoaded.value = accounts.value.value
})

/** The last accounts that could be loaded, even if loading them again fails. */
export const accountList: ReadonlySignal<readonly AccountView[]> = lastLoaded

/** The name of an account, or its id if the account is not loaded. */
export const accountName = (id: string): string =>
  accountList.value.find((account) => account.id === id)?.name ?? id
