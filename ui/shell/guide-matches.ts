import { signal } from '@preact/signals'
import { request } from '../data/api.ts'
import { createResource, debounced } from '../data/resource.ts'

export const paletteText = signal('')

/** The sections of guides that match the text in the palette. The sandbox searches them. */
export const guideMatches = createResource((superseded) => {
  const search = paletteText.value.trim()
  if (search === '') return undefined
  return debounced(superseded, async () => {
    return (await request('GET /guides', { query: { search }, signal: superseded })).matches
  })
}, 'clear')
