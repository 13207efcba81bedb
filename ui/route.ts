import { signal, type ReadonlySignal } from '@preact/signals'
import { formatRoute, parseRoute, type Route } from './hash-route.ts'

const current = signal(parseRoute(location.hash))
export const route: ReadonlySignal<Route> = current

const read = () => (current.value = parseRoute(location.hash))
addEventListener('hashchange', read)
addEventListener('popstate', read)

/** Goes somewhere. Steps within a list replace one another, so that Back leaves the list. */
export function navigate(changes: Partial<Route>, how: 'push' | 'replace' = 'push'): void {
  current.value = { ...current.peek(), ...changes }
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', formatRoute(current.peek()))
}
