import { signal, type ReadonlySignal } from '@preact/signals'
import { findUnknownPart, formatRoute, parseRoute, type Route, type UnknownPart } from './hash-route.ts'
import { findPlace, firstTab } from './screens.ts'
import { dismissToast, showToast } from './toasts.ts'

const current = signal(parseRoute(''))
export const route: ReadonlySignal<Route> = current

let lastHash: string | undefined
let unknownToast: number | undefined

function readAddress(): void {
  // The browser may fire both `hashchange` and `popstate` for one navigation.
  if (location.hash === lastHash) return
  const [, name = ''] = location.hash.split(/[/?]/)
  current.value = parseRoute(location.hash)
  dismissUnknown()
  const unknown = findUnknownPart(location.hash)
  // Replaces an old or unknown address, so that bookmarks are correct, and a reload does not repeat the message.
  if (unknown || (name !== '' && findPlace(name)?.screen !== name)) replaceAddress()
  lastHash = location.hash
  if (unknown) void reportUnknown(unknown)
}

async function reportUnknown(unknown: UnknownPart): Promise<void> {
  const at = current.peek()
  const { describeUnknown } = await import('./unknown-address.ts')
  if (current.peek() === at) unknownToast = showToast(describeUnknown(unknown, at, navigate))
}

function dismissUnknown(): void {
  if (unknownToast !== undefined) dismissToast(unknownToast)
  unknownToast = undefined
}

const replaceAddress = (): void => history.replaceState(null, '', formatRoute(current.peek()))

readAddress()
addEventListener('hashchange', readAddress)
addEventListener('popstate', readAddress)

/**
 * Changes the route. A screen without a tab opens its first tab. A change within a list replaces the history entry, so that
 * Back leaves the list.
 */
export function navigate(changes: Partial<Route>, how: 'push' | 'replace' = 'push'): void {
  dismissUnknown()
  const { screen, tab = screen && firstTab(screen) } = changes
  current.value = { ...current.peek(), ...changes, ...(screen && { tab }) }
  if (how === 'push') history.pushState(null, '', formatRoute(current.peek()))
  else replaceAddress()
  lastHash = location.hash
}
