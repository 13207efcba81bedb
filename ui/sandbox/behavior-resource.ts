import { computed, signal } from '@preact/signals'
import { api, catchRequestError } from '../api.ts'
import { createResource } from '../resource.ts'
import { currentId, shouldLoad } from './current-account.ts'

/** Whether the screen shows and changes behaviors of all accounts or of one. */
export const scope = signal<'sandbox' | 'account'>('sandbox')

const GONE = 'This account no longer exists. Other accounts are not changed.'

/** An account's id, `undefined` for all accounts, `null` if the account no longer exists. */
const scopedTo = computed(() => (scope.value === 'account' ? (currentId.value ?? null) : undefined))

// Defined before the resource, which may load immediately.
const queryOf = (account: string | undefined) => (account === undefined ? {} : { account })
const behaviorsOf = async (account: string | undefined) =>
  (await api.behaviors.$get({ query: queryOf(account) })).json()

const loaded = createResource(() => {
  const account = scopedTo.value
  return shouldLoad() && account !== null ? load(account, currentId.value) : undefined
})

async function load(account: string | undefined, shown: string | undefined) {
  const [chosen, own] = await Promise.all([behaviorsOf(account), behaviorsOf(shown)])
  return {
    account,
    ...chosen,
    /** The behaviors that the shown account has set for itself, in either scope. */
    own: own.behaviors.flatMap(({ name, value, source }) =>
      source === 'account' ? [`${name}: ${value}`] : [],
    ),
  }
}

/** A result for another scope counts as still loading. */
export const behaviors = computed(() => {
  if (scopedTo.value === null) return { state: 'failed', reason: GONE } as const
  return loaded.value.state === 'loaded' && loaded.value.value.account !== scopedTo.value
    ? ({ state: 'loading' } as const)
    : loaded.value
})

export type ShownBehavior = Awaited<ReturnType<typeof load>>['behaviors'][number]

/** Sets a behavior, with `null` to its default. Returns the error message if that fails. */
export async function setBehavior(name: string, value: string | null): Promise<string | undefined> {
  const account = scopedTo.peek()
  if (account === null) return GONE
  const change = { query: queryOf(account), json: { [name]: value } }
  return (await catchRequestError(() => api.behaviors.$patch(change)))?.message
}
