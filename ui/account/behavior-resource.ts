import { computed, signal } from '@preact/signals'
import { api, catchRequestError } from '../api.ts'
import { createResource } from '../resource.ts'
import { currentId, shouldLoad } from './current-account.ts'

/** For whom behaviors are shown and chosen. */
export const scope = signal<'sandbox' | 'account'>('sandbox')

const GONE = 'This account is not there any more. Nothing is changed for the others.'

/** An account's id, `undefined` for every account, `null` where the one account is not there. */
const scopedTo = computed(() => (scope.value === 'account' ? (currentId.value ?? null) : undefined))

// These stand before the resource, which may load at once.
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
    /** What the account on show has chosen for itself, whoever's choices are shown. */
    own: own.behaviors.flatMap(({ name, value, source }) =>
      source === 'account' ? [`${name}: ${value}`] : [],
    ),
  }
}

/** What was loaded for one scope is not shown for another. */
export const behaviors = computed(() => {
  if (scopedTo.value === null) return { state: 'failed', reason: GONE } as const
  return loaded.value.state === 'loaded' && loaded.value.value.account !== scopedTo.value
    ? ({ state: 'loading' } as const)
    : loaded.value
})

export type ShownBehavior = Awaited<ReturnType<typeof load>>['behaviors'][number]

/** Chooses a value, or with `null` takes the choice back. Answers with why it was refused, if it was. */
export async function choose(name: string, value: string | null): Promise<string | undefined> {
  const account = scopedTo.peek()
  if (account === null) return GONE
  const change = { query: queryOf(account), json: { [name]: value } }
  return (await catchRequestError(() => api.behaviors.$patch(change)))?.message
}
