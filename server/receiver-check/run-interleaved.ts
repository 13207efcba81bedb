import type { CheckResult } from '../contract/check.ts'
import type { CheckCase } from './check-case.ts'
import { caseOf, nameOf, shorterOrders, type EventOrder } from './interleave.ts'

/**
 * Runs a case for each order of events. An order that fails is shortened as long as it still fails. The shortest one gets
 * its own result, and the results of longer ones refer to it. No order runs twice.
 */
export async function runInterleaved(
  orders: readonly EventOrder[],
  run: (checkCase: CheckCase) => Promise<CheckResult>,
  report: (result: CheckResult) => void,
): Promise<void> {
  const known = new Map<string, CheckResult>()
  const reported = new Set<string>()

  async function resultOf(order: EventOrder): Promise<CheckResult> {
    const name = nameOf(order)
    const result = known.get(name) ?? (await run(caseOf(order)))
    known.set(name, result)
    return result
  }

  async function shorten(order: EventOrder): Promise<EventOrder> {
    for (const shorter of shorterOrders(order)) {
      if ((await resultOf(shorter)).outcome === 'failed') return shorten(shorter)
    }
    return order
  }

  function reportOnce(result: CheckResult): void {
    if (reported.has(result.name)) return
    reported.add(result.name)
    report(result)
  }

  for (const order of orders) {
    const result = await resultOf(order)
    if (result.outcome !== 'failed') {
      reportOnce(result)
      continue
    }
    const shortest = await resultOf(await shorten(order))
    reportOnce(shortest)
    reportOnce({ ...result, sameAs: shortest.name })
  }
}
