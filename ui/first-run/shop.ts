import { computed } from '@preact/signals'
import { accountList } from '../data/accounts.ts'

/** The account of the first payment: the first one for development. */
export const shop = computed(() => accountList.value.find(({ environment }) => environment === 'development'))
