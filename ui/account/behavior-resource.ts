import { computed, signal } from '@preact/signals'
import { api, attempt } from '../api.ts'
import { createResource } from '../resource.ts'
import { connection, log } from '../session.ts'

const settings = computed(() => log.journal.value.settings)

/** Goes up to read again what a refused change has left as it was. */
const asked = signal(0)

export const behaviors = createResource(() => {
  const known = connection.value === 'live' && settings.value + asked.value >= 0
  return known ? load() : undefined
})

async function load() {
  const answer = await api.behaviors.$get({ query: {} })
  return answer.json()
}

export type ShownBehavior = Awaited<ReturnType<typeof load>>['behaviors'][number]

/** Chooses a value, or with `null` takes the choice back. */
export async function choose(name: string, value: string | null): Promise<void> {
  await attempt(() => api.behaviors.$patch({ query: {}, json: { [name]: value } }))
  asked.value += 1
}
