import { effect, signal } from '@preact/signals'
import { route } from '../browser/route.ts'

/** The event that was selected last in the timeline. The diagram of its payment marks it. */
export const lastSelectedEvent = signal<number | undefined>(undefined)

effect(() => {
  const { screen, id } = route.value
  if (screen === 'timeline' && id !== undefined) lastSelectedEvent.value = id
})
