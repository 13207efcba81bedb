import { signal } from '@preact/signals'
import { api } from '../data/api.ts'
import { createResource, debounced } from '../data/resource.ts'

export const paletteText = signal('')

/** The sections of guides that match the text in the palette. The sandbox searches them. */
export const guideMatches = createResource((superseded) => {
  const search = paletteText.value.trim()
  if (search === '') return undefined
  return debounced(superseded, async () => {
    const response = await api.guides.$get({ query: { search } }, { init: { signal: superseded } })
    return (await response.json()).matches
  })
}, 'clear')
