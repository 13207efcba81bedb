import { parseHost } from '../../server/domain/network/allowed-host.ts'
import type { HeldEvent } from '../data/event-index.ts'
import { storedText } from '../browser/local-storage.ts'
import { showToast } from '../browser/toasts.ts'

/** The local address of the last map, which is offered again. */
export const mapTarget = storedText('map-target', 'http://localhost:3000')

/** The host that a held webhook would be sent to. */
export const heldHost = ({ target, mappedTo }: HeldEvent): string => parseHost(mappedTo ?? target) ?? ''

export async function mapHeldHost({ target }: HeldEvent): Promise<void> {
  const { saveMap } = await import('../data/egress-rules.ts')
  const error = await saveMap({ from: new URL(target).origin, to: mapTarget.peek() }, undefined)
  if (error) showToast({ tone: 'err', text: error.errors[0]?.message ?? error.detail })
}
