import { applyMaps } from '../../server/domain/network/origin-map.ts'
import { rules } from './egress-rules.ts'

/** Where a map leads an address as things are. */
export function MappedTo({ address }: { readonly address: string }) {
  const led = rules.value.state === 'loaded' ? applyMaps(address, rules.value.value.maps) : null
  return led && <span class="led"> → {led.to}</span>
}
