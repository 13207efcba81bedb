import { randomUUID } from 'node:crypto'
import type { CookieJar } from '../../app/orders/cookie-jar.ts'
import type { WantedOrder } from '../../app/orders/order-template.ts'
import type { AddedFields } from '../../app/state/read-order-state.ts'

const AMOUNT = 42.5

export interface OrderOfCase {
  readonly name: string
  readonly wantedOrder?: { readonly amount?: number | undefined; readonly note?: string | undefined }
  readonly added?: AddedFields
  /** Whether another order may have the same note. */
  readonly isNoteShared?: true
  /** Whether the app creates no other link meanwhile. If the response contains no link, the next link belongs to the order. */
  readonly isAlone?: true
  /** The cookies of a customer who has ordered before. By default, each order has a new customer. */
  readonly customer?: CookieJar
}

/** The beginnings and the ends of three names. The second name differs from the first one only at its end, and the third one from the second only at its beginning. */
const ENDS = [
  ['a', 'a'],
  ['a', 'b'],
  ['b', 'b'],
] as const

/** Names orders, and writes their notes. An app that shortens names takes some of them for one. */
export function createWantedOrders(): (orderOfCase: OrderOfCase) => WantedOrder {
  const run = randomUUID().slice(0, 6)
  let count = 0
  return ({ name, wantedOrder: { amount = AMOUNT, note } = {}, added, isNoteShared }) => {
    const [first, last] = ENDS[count % ENDS.length]!
    const order = `${first}-check-${run}${Math.floor(count / ENDS.length)}-${last}`
    count += 1
    return { order, amount, note: isNoteShared && note !== undefined ? note : uniqueNote(name, note), added }
  }
}

/** Each order has its own note, because the app may still know the orders of an earlier check. */
const uniqueNote = (name: string, wanted: string | undefined): string =>
  wanted === '' ? '' : `${wanted ?? `check ${name.replaceAll('-', ' ')}`} ${randomUUID().slice(0, 8)}`
