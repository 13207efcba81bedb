import { navigate } from '../browser/route.ts'
import { openNewLink } from './dialog-state.ts'

/** Opens the form for a new link from any screen. It belongs to Payments. */
export function startNewLink(): void {
  navigate({ screen: 'payments', id: undefined, query: '' })
  openNewLink()
}
