import { computed, signal } from '@preact/signals'
import { screens, type Screen } from '../browser/hash-route.ts'
import { storedText } from '../browser/local-storage.ts'

export interface SavedSearch {
  readonly name: string
  readonly screen: Screen
  readonly query: string
}

const stored = storedText('searches', '[]')

/** The searches saved in this browser, the newest first. */
export const savedSearches = computed((): readonly SavedSearch[] => {
  try {
    const list: unknown = JSON.parse(stored.value)
    return Array.isArray(list) ? list.filter(isSavedSearch) : []
  } catch {
    return []
  }
})

const isSavedSearch = (value: Partial<SavedSearch> | null): value is SavedSearch =>
  [value?.name, value?.query].every((text) => typeof text === 'string') &&
  screens.some((screen) => screen === value?.screen)

/** Whether the dialog that asks for a name is open. */
export const isSavingSearch = signal(false)

/** The saved search of a screen with this text. */
export const findSavedSearch = (screen: Screen, query: string): SavedSearch | undefined =>
  savedSearches.value.find((saved) => saved.screen === screen && saved.query === query.trim())

export function saveSearch(search: SavedSearch): void {
  removeSearch(search)
  stored.value = JSON.stringify([search, ...savedSearches.peek()])
}

export function removeSearch({ screen, query }: Omit<SavedSearch, 'name'>): void {
  const left = savedSearches.peek().filter((saved) => saved.screen !== screen || saved.query !== query)
  stored.value = JSON.stringify(left)
}
