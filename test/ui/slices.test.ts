import { effect, signal } from '@preact/signals'
import { expect, onTestFinished, test } from 'vitest'
import { workInSlices, type Steps } from '../../ui/search/slices.ts'

/** A search that ends only if it is not held, with the shown results of a page that reads them. */
function openSearch() {
  const query = signal('')
  const items = signal(['a'])
  const state = { isHeld: false }
  function* search(text: string, list: readonly string[]): Steps<string> {
    while (state.isHeld) yield
    return `${text} in ${list.join()}`
  }
  const sliced = workInSlices(() => ({ query: query.value, items: items.value }), search)
  onTestFinished(effect(() => void sliced.shown.value))
  return { ...sliced, query, items, state }
}

test('a search shows the results of the search before until it is complete', async () => {
  const { shown, query, state } = openSearch()
  expect(shown.value).toBe(' in a')

  state.isHeld = true
  query.value = 'order'
  expect(shown.value).toBe(' in a')

  state.isHeld = false
  await expect.poll(() => shown.value).toBe('order in a')
})

test('a new query replaces a search that is not complete', () => {
  const { shown, query, state } = openSearch()
  state.isHeld = true
  query.value = 'order'
  expect(shown.value).toBe(' in a')

  state.isHeld = false
  query.value = 'order 7'

  expect(shown.value).toBe('order 7 in a')
})

test('a new list is searched after the search in the old list, which it does not delay', async () => {
  const { shown, query, items, state } = openSearch()
  const results = new Set<string>()
  onTestFinished(effect(() => void results.add(shown.value)))
  state.isHeld = true
  query.value = 'order'
  items.value = ['a', 'b']

  state.isHeld = false

  await expect.poll(() => shown.value).toBe('order in a,b')
  expect([...results]).toEqual([' in a', 'order in a', 'order in a,b'])
})

test('a search that is completed at once returns the results of the newest query', () => {
  const { complete, shown, query, state } = openSearch()
  state.isHeld = true
  query.value = 'order'
  expect(shown.value).toBe(' in a')

  state.isHeld = false

  expect(complete()).toBe('order in a')
})
