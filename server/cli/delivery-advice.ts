import type { Sandbox } from '../client/connect-sandbox.ts'
import type { DeliveryView } from '../contract/views.ts'

/** What to do about webhooks that failed: one line for each kind of finding about their last attempts. */
export async function deliveryAdvice(
  sandbox: Sandbox,
  deliveries: readonly DeliveryView[],
): Promise<string[]> {
  const failed = new Set(
    deliveries.flatMap(({ state, attempts }) => (state === 'failed' ? (attempts.at(-1)?.seq ?? []) : [])),
  )
  if (failed.size === 0) return []
  // A finding follows its attempt in the journal.
  const found = await sandbox.diagnostics({ after: Math.min(...failed) })
  const about = found.filter(({ eventSeq }) => failed.has(eventSeq))
  return [...new Set(about.map(({ title, fix }) => `${title}. ${fix}`))]
}
