import { applyMaps } from '../../../server/domain/network/origin-map.ts'
import { egressRules } from '../../data/egress-rules.ts'
import { hidePasswords } from '../../../server/domain/network/credentials.ts'

/** The address that the current maps lead to, if it is a different one. */
export function MappedTo({ address }: { readonly address: string }) {
  const mapped =
    egressRules.value.state === 'loaded' ? applyMaps(address, egressRules.value.value.maps) : null
  return mapped && <span class="mapped"> → {hidePasswords(mapped.to)}</span>
}
