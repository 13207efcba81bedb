import { computed } from '@preact/signals'
import { accountList, reloadCount } from '../../data/accounts.ts'
import { route } from '../../browser/route.ts'
import { canLoad } from '../../data/session.ts'

/** The account on the screen: the account in the address, or the first one. */
export const currentAccount = computed(() => {
  const { account: id } = route.value
  const list = accountList.value
  return id === undefined ? list[0] : list.find((account) => account.id === id)
})

export const currentId = computed(() => currentAccount.value?.id)

const isOpen = computed(() => route.value.tab === 'accounts')

/**
 * Whether the screen is open and data can be loaded. A resource that calls this function is loaded again when settings change.
 */
export const shouldLoadAccount = (): boolean => isOpen.value && canLoad() && reloadCount.value >= 0
