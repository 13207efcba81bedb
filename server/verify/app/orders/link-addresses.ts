import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { plural } from '../../../contract/format/values.ts'

/** The addresses that a link has for its order alone. */
const FIELDS = {
  paymentEndpoint: {
    field: 'payment_endpoint',
    title: 'If customers order at the same time, two orders get the same webhook address',
    effect: 'A payment then pays the order of someone else.',
  },
  callbackUrl: {
    field: 'callback_url',
    title: 'If customers order at the same time, one of them returns to the order of another one',
    effect: 'Customers then see the orders of others.',
  },
} as const

type Link = Pick<CheckedOrder, 'order' | 'note' | 'paymentEndpoint' | 'callbackUrl'>

/** So many orders that were placed alone show that each order has addresses of its own. */
const ENOUGH = 3

/** A number at the end of a note may have a digit or two fewer than others. */
const MIN_CUT = 3

/** What the links of an app have in common, and what only some of them have. */
export function createLinkAddresses() {
  const links: { readonly link: Link; readonly isAlone: boolean }[] = []

  function mixedUp(field: keyof typeof FIELDS, order: string | undefined): Fact | undefined {
    const alone = links.filter(({ isAlone }) => isAlone)
    const orders = new Set(alone.map(({ link }) => link.order))
    const addresses = new Set(alone.map(({ link }) => link[field]))
    if (orders.size < ENOUGH || addresses.size < orders.size) return undefined
    const together = links.flatMap(({ link, isAlone }) => (isAlone || link[field] === '' ? [] : [link]))
    // The address of an order may have gone to a link whose own address went to a third order, so any equal pair explains it.
    if (order !== undefined && !together.some((link) => link.order === order)) return undefined
    for (const link of together) {
      const other = links.find((one) => one.link.order !== link.order && one.link[field] === link[field])
      if (other === undefined) continue
      const { title, field: name, effect } = FIELDS[field]
      const remedy = `The links of the orders ${link.order} and ${other.link.order} have the same ${name}, ${link[field]}. ${effect} Do not keep what belongs to one order in a variable that all requests share.`
      return { title, remedy }
    }
    return undefined
  }

  return {
    /**
     * Says so if the note of a link is cut, and lacks the end of what the app adds to the notes of other links. `noteOf` returns what the
     * customer of an order has written.
     */
    withoutEnd(own: CheckedOrder, noteOf: (link: Link) => string | undefined): Fact | undefined {
      const { note } = own
      const added = (link: Link): number => link.note.length - (noteOf(link) ?? '').length
      const others = links.flatMap(({ link }) =>
        noteOf(link) !== undefined && link.note.length < note.length ? [added(link)] : [],
      )
      const written = noteOf(own) ?? ''
      const isBeginning = written.startsWith(note) || note.startsWith(written)
      if (written === '' || !isBeginning || others.length === 0) return undefined
      if (added(own) > Math.min(...others) - MIN_CUT) return undefined
      return {
        title: `Your app cuts the note of a link after ${plural(note.length, 'character')}, and loses what it adds at its end`,
        remedy:
          'Cut only what the customer has written, before you add a reference. Or put the reference first, or into payment_endpoint.',
      }
    },
    /** `isAlone` says that no other order was placed at the same time. */
    add: (link: Link, isAlone: boolean): void => void links.push({ link, isAlone }),
    /** Says so if orders that were placed at the same time have the same address, and others do not. */
    mixedUp: (order?: string): Fact | undefined =>
      mixedUp('paymentEndpoint', order) ?? mixedUp('callbackUrl', order),
    /** Whether no link has a `payment_endpoint`. */
    areWithoutEndpoint: (): boolean => links.every(({ link }) => link.paymentEndpoint === ''),
    /** Says so if a link of an order has no `payment_endpoint`, and those of other orders have one. */
    withoutEndpoint(order: string | undefined): Fact | undefined {
      const own = links.flatMap(({ link }) => (link.order === order ? [link] : []))
      const index = own.findIndex(({ paymentEndpoint }) => paymentEndpoint === '')
      if (index === -1 || !links.some(({ link }) => link.paymentEndpoint !== '')) return undefined
      const { note } = own[index]!
      const which =
        index > 0
          ? 'The second link of an order'
          : note === ''
            ? 'The link of an order without a note'
            : 'The link of an order'
      return {
        title: `${which} has no payment_endpoint, although other links have one`,
        remedy:
          'Pass payment_endpoint in each call that creates a link. Otherwise the service sends the webhook to the default of your account, if there is one, and your app does not learn of the payment.',
      }
    },
  }
}

export type LinkAddresses = ReturnType<typeof createLinkAddresses>
