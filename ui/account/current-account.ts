import { computed } from '@preact/signals'
import { accountList, asked } from '../accounts.ts'
import { route } from '../route.ts'
import { connection, settings } from '../session.ts'

/** The account on show: the one that the address names, else the first. */
export const currentAccount = computed(() => {
  const { account: id } = route.value
  const list = accountList.value
  return id === undefined ? list[0] : list.find((account) => account.id === id)
})

export const currentId = computed(() => currentAccount.value?.id)

const isOpen = computed(() => route.value.screen === 'account')

/** Whether somebody looks and the sandbox can be asked. Resources that read it load again after changes. */
export const isAsking = (): boolean =>
  isOpen.value && connection.value === 'live' && settings.value + asked.value >= 0
