import { computed } from '@preact/signals'
import { accountList, reloadCount } from '../accounts.ts'
import { route } from '../route.ts'
import { connection, settingsVersion } from '../session.ts'

/** The account on show: the one that the address names, else the first. */
export const currentAccount = computed(() => {
  const { account: id } = route.value
  const list = accountList.value
  return id === undefined ? list[0] : list.find((account) => account.id === id)
})

export const currentId = computed(() => currentAccount.value?.id)

const isOpen = computed(() => route.value.screen === 'account')

/** Whether somebody looks and the sandbox can be asked. Resources that read it load again after changes. */
export const shouldLoad = (): boolean =>
  isOpen.value && connection.value === 'live' && settingsVersion.value + reloadCount.value >= 0
