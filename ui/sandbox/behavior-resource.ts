import { computed } from '@preact/signals'
import { accountList, reloadCount } from '../data/accounts.ts'
import { request, catchSandboxError } from '../data/api.ts'
import { createResource } from '../data/resource.ts'
import { route } from '../browser/route.ts'
import { canLoad } from '../data/session.ts'

const isOpen = computed(() => route.value.screen === 'sandbox')

/**
 * Whether the screen is open and data can be loaded. A resource that calls this function is loaded again when settings change.
 */
export const shouldLoadBehaviors = (): boolean => isOpen.value && canLoad() && reloadCount.value >= 0

/** The account whose behaviors the screen shows and changes. `undefined` for all accounts. */
export const scope = computed(() => (isOpen.value ? route.value.account : undefined))

export const scopedAccount = computed(() => accountList.value.find(({ id }) => id === scope.value))

const GONE = 'This account no longer exists. Other accounts are not changed.'

/** How many accounts are searched for values of their own, because each of them needs a request. */
const MAX_COMPARED_ACCOUNTS = 20

// Defined before the resource, because the resource may call it at once.
const behaviorsOf = (account: string | undefined) => request('GET /behaviors', { query: { account } })

const isGone = computed(
  () => scope.value !== undefined && accountList.value.length > 0 && scopedAccount.value === undefined,
)

const loaded = createResource(() => {
  const account = scope.value
  return shouldLoadBehaviors() && !isGone.value ? load(account) : undefined
})

async function load(account: string | undefined) {
  return { account, ...(await behaviorsOf(account)) }
}

/** A result for another account counts as still loading. */
export const behaviors = computed(() => {
  if (isGone.value) return { state: 'failed', reason: GONE } as const
  return loaded.value.state === 'loaded' && loaded.value.value.account !== scope.value
    ? ({ state: 'loading' } as const)
    : loaded.value
})

type LoadedBehaviors = Awaited<ReturnType<typeof load>>

export type ShownBehavior = LoadedBehaviors['behaviors'][number]

export type ShownAssumption = LoadedBehaviors['assumptions'][number]

export type ShownPoint = ShownBehavior | ShownAssumption

/** The accounts that have set behaviors for themselves. A value for all accounts does not change these. */
export const accountsWithChoices = createResource(() =>
  shouldLoadBehaviors() ? loadChoices(accountList.value.slice(0, MAX_COMPARED_ACCOUNTS)) : undefined,
)

async function loadChoices(accounts: typeof accountList.value) {
  const all = await Promise.all(
    accounts.map(async ({ id, name }) => {
      const { behaviors: shown } = await behaviorsOf(id)
      return { id, name, chosen: shown.filter(({ source }) => source === 'account').map((one) => one.name) }
    }),
  )
  return all.filter(({ chosen }) => chosen.length > 0)
}

/** Sets behaviors. `null` removes a value. Returns the error message if this fails. */
export async function setBehaviors(
  values: Readonly<Record<string, string | null>>,
): Promise<string | undefined> {
  if (isGone.peek()) return GONE
  const change = { query: { account: scope.peek() }, json: values }
  return (await catchSandboxError(() => request('PATCH /behaviors', change)))?.detail
}
