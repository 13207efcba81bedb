import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { quoteNote } from '../../app/run/not-possible.ts'
import type { WantedOrder } from '../../app/orders/order-template.ts'

type Link = Pick<CheckedOrder, 'id' | 'note' | 'paymentEndpoint'>

/**
 * The notes that an app chooses for its links. If the webhooks of all links go to one address, an app may find the order of a webhook by
 * its note, and then two orders must not have the same note.
 */
export function createReferences() {
  /** The names of the orders whose links have a reference. */
  const ordersOf = new Map<string, Set<string>>()
  const referencesOf = new Map<string, Set<string>>()
  const notes = new Map<string, string>()
  const ids = new Set<number>()
  return {
    /** Adds the note of a link, unless a customer has written it. */
    add({ id, note, paymentEndpoint }: Link, wanted: WantedOrder): void {
      if (note === '' || (wanted.note !== '' && note.includes(wanted.note))) return
      const reference = `${note}\n${paymentEndpoint}`
      ids.add(id)
      notes.set(reference, note)
      ordersOf.set(reference, (ordersOf.get(reference) ?? new Set()).add(wanted.order))
      referencesOf.set(wanted.order, (referencesOf.get(wanted.order) ?? new Set()).add(reference))
    },
    /** If nearly every link has a note of its own, but this order has the same note as another one, says so. */
    sharedBy(order: string): string | undefined {
      if (ordersOf.size < ids.size * MOSTLY) return undefined
      for (const reference of referencesOf.get(order) ?? []) {
        const other = [...ordersOf.get(reference)!].find((one) => one !== order)
        if (other !== undefined)
          return `the links of the orders ${order} and ${other} have the same note, ${quoteNote(notes.get(reference)!)}`
      }
      return undefined
    },
  }
}

/** Notes such as the name of the shop are no references. */
const MOSTLY = 0.7
