import type { EventOrder } from '../../domain/webhooks/payment-events.ts'
import { nameOf, shorterOrders } from './interleave.ts'

interface Interleaving<Result> {
  /** Runs the events in this order. It is called once for each order. */
  run(order: EventOrder): Promise<Result>
  isFailed(result: Result): boolean
  /** Called once for each order. `sameAs`: the shortest order that still fails. */
  report(result: Result, order: EventOrder, sameAs: string | null): void
}

/**
 * Runs something for each order of events. An order that fails is shortened as long as it still fails. The shortest one
 * gets its own result, and the results of longer ones refer to it. No order runs twice.
 */
export async function runInterleaved<Result>(
  orders: readonly EventOrder[],
  { run, isFailed, report }: Interleaving<Result>,
): Promise<void> {
  const known = new Map<string, Result>()
  const reported = new Set<string>()

  async function resultOf(order: EventOrder): Promise<Result> {
    const name = nameOf(order)
    const result = known.get(name) ?? (await run(order))
    known.set(name, result)
    return result
  }

  async function shorten(order: EventOrder): Promise<EventOrder> {
    for (const shorter of shorterOrders(order)) {
      if (isFailed(await resultOf(shorter))) return shorten(shorter)
    }
    return order
  }

  function reportOnce(result: Result, order: EventOrder, sameAs: string | null): void {
    const name = nameOf(order)
    if (reported.has(name)) return
    reported.add(name)
    report(result, order, sameAs)
  }

  for (const order of orders) {
    const result = await resultOf(order)
    if (!isFailed(result)) {
      reportOnce(result, order, null)
      continue
    }
    const shortest = await shorten(order)
    reportOnce(await resultOf(shortest), shortest, null)
    reportOnce(result, order, nameOf(shortest))
  }
}
