import { signal, type ReadonlySignal } from '@preact/signals'
import { formatRoute, parseRoute, startScreen, screens, type Route } from './hash-route.ts'
import { showToast } from './toasts.ts'

const current = signal(parseRoute(''))
export const route: ReadonlySignal<Route> = current

let lastHash: string | undefined

function readAddress(): void {
  // The browser may fire both `hashchange` and `popstate` for one navigation.
  if (location.hash === lastHash) return
  lastHash = location.hash
  current.value = parseRoute(location.hash)
  const [, name = ''] = location.hash.split(/[/?]/)
  if (name !== '' && !screens.some((known) => known === name)) {
    showToast({ tone: 'err', text: `There is no screen “${name}”. This is the ${startScreen}.` })
  }
}
readAddress()
addEventListener('hashchange', readAddress)
addEventListener('popstate', readAddress)

/** Changes the route. Moving within a list replaces the history entry, so that Back leaves the list. */
export function navigate(changes: Partial<Route>, how: 'push' | 'replace' = 'push'): void {
  current.value = { ...current.peek(), ...changes }
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', formatRoute(current.peek()))
  lastHash = location.hash
}
