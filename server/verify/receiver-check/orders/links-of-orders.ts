import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { createLinkAddresses } from '../../app/orders/link-addresses.ts'
import type { WantedOrder } from '../../app/orders/order-template.ts'
import { createReferences } from './references.ts'

/** Which links belong to which orders. */
export function createLinksOfOrders() {
  /** For the id of each link, the name of its order, and when the link became known, according to `performance.now()`. */
  const known = new Map<number, { readonly order: string; readonly since: number }>()
  const references = createReferences()
  const addresses = createLinkAddresses()
  return {
    addresses,
    /** A reference of an order that another order has as well, in words. `undefined` if there is none. */
    sharedReferenceOf: references.sharedBy,
    has: (id: number): boolean => known.has(id),
    /** The name of the order to which a link belongs. */
    ownerOf: (id: number): string | undefined => known.get(id)?.order,
    /**
     * `isAlone` says whether no other order was placed at the same time. `undefined` if the addresses of the link prove nothing, because
     * orders of one customer may have the same addresses.
     */
    add(link: CheckedOrder, wanted: WantedOrder, isAlone?: boolean): void {
      const { order } = wanted
      const since = known.get(link.id)?.since
      if (isAlone !== undefined && since === undefined) addresses.add({ ...link, order }, isAlone)
      known.set(link.id, { order, since: since ?? performance.now() })
      references.add(link, wanted)
    },
    /** How old the link of an order is, and how many links are newer, in words. */
    ageOf({ id }: CheckedOrder): string {
      const made = known.get(id)?.since ?? performance.now()
      const newer = [...known.values()].filter(({ since }) => since > made).length
      return `${Math.round((performance.now() - made) / 1000)} s and ${newer} orders ago`
    },
  }
}
