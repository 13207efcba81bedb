import { computed, signal } from '@preact/signals'
import { api, refusalOf } from '../api.ts'
import { createResource } from '../resource.ts'
import { currentId, isAsking } from './current.ts'

/** For whom behaviors are shown and chosen. */
export const scope = signal<'sandbox' | 'account'>('sandbox')

const scopedTo = computed(() => (scope.value === 'account' ? currentId.value : undefined))

/** Made before the resource, which may load at once. */
const queryOf = (account: string | undefined) => (account === undefined ? {} : { account })

const loaded = createResource(() => {
  const account = scopedTo.value
  return isAsking() ? load(account) : undefined
})

async function load(account: string | undefined) {
  const answer = await api.behaviors.$get({ query: queryOf(account) })
  return { account, ...(await answer.json()) }
}

/** What was loaded for one scope is not shown for another. */
export const behaviors = computed(() =>
  loaded.value.state === 'loaded' && loaded.value.value.account !== scopedTo.value
    ? ({ state: 'loading' } as const)
    : loaded.value,
)

export type ShownBehavior = Awaited<ReturnType<typeof load>>['behaviors'][number]

/** Chooses a value, or with `null` takes the choice back. Answers with why it was refused, if it was. */
export async function choose(name: string, value: string | null): Promise<string | undefined> {
  const change = { query: queryOf(scopedTo.peek()), json: { [name]: value } }
  return (await refusalOf(() => api.behaviors.$patch(change)))?.message
}
