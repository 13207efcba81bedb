import { NoOrderError, OrdersEndedError } from '../../app/run/check-error.ts'
import type { WantedOrder } from '../../app/orders/order-template.ts'
import type { Placing } from './place-orders.ts'
import type { OrderOfCase } from './wanted-orders.ts'

/** An app that refuses every order after fewer orders than these has a mistake rather than too little stock. */
const MANY_ORDERS = 50

/** How many further orders of new customers the app must refuse. */
const FURTHER_ORDERS = 2

/**
 * Places orders. If an app that has taken many orders refuses one, places further ones. If the app refuses them as well, throws
 * `OrdersEndedError`, because its stock or a limit has ended, and no case is to blame.
 */
export function placeUntilSoldOut(
  { make, placed }: Pick<Placing, 'make' | 'placed'>,
  newOrder: (orderOfCase: OrderOfCase) => WantedOrder,
): Placing['make'] {
  let end: Promise<OrdersEndedError | undefined> | undefined

  const isRefused = (): Promise<boolean> =>
    make(newOrder({ name: 'further order' }), {}).then(
      () => false,
      (error: unknown) => error instanceof NoOrderError && error.isRefused,
    )

  async function findEnd(error: NoOrderError): Promise<OrdersEndedError | undefined> {
    for (let tried = 0; tried < FURTHER_ORDERS; tried += 1) if (!(await isRefused())) return undefined
    return new OrdersEndedError(placed.size, error)
  }

  return (wanted, circumstances) =>
    make(wanted, circumstances).catch(async (error: unknown) => {
      if (!(error instanceof NoOrderError) || !error.isRefused || error.refusedCall !== undefined) throw error
      if (placed.size < MANY_ORDERS) throw error
      // Cases that run side by side look for the end together.
      end ??= findEnd(error)
      const ended = await end
      if (ended === undefined) end = undefined
      throw ended ?? error
    })
}
