import { parseHost } from '../../domain/network/allowed-host.ts'
import { allowHints, hostScopeText } from '../../domain/network/egress-text.ts'
import type { EgressVerdict } from '../../domain/network/egress-rules.ts'
import type { ControlContext } from '../context.ts'

export type EgressChecks = Pick<ControlContext, 'checkEgress' | 'ownPath'>

/** A failing DNS lookup takes seconds, so several run at once. More would not be faster, because lookups share a few threads. */
const CONCURRENCY = 8

/** Finds out whether webhooks to these targets would be sent or held. Looks up each host once. */
export async function checkTargets(
  { checkEgress, ownPath }: EgressChecks,
  targets: readonly string[],
): Promise<(target: string) => EgressVerdict> {
  // All tunnels of this sandbox have the same address, even if the host names in their URLs differ.
  const keyOf = (target: string): string =>
    ownPath(target)?.startsWith('/tunnel/') ? '' : (parseHost(target) ?? target)
  const queue = [...new Map(targets.map((target) => [keyOf(target), target]))]
  const verdicts = new Map<string, EgressVerdict>()

  async function work(): Promise<void> {
    for (let next = queue.pop(); next; next = queue.pop()) verdicts.set(next[0], await checkEgress(next[1]))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return (target) => verdicts.get(keyOf(target))!
}

/** Why a webhook would be held, and how to allow it. `null` if it is sent. */
export function heldReason(verdict: EgressVerdict, target: Parameters<typeof allowHints>[0]): string | null {
  if (verdict.verdict === 'send') return null
  if (verdict.verdict === 'never') return verdict.reason
  const hints = allowHints(target)
  return `${hostScopeText(verdict)}. ${hints[0]!.toUpperCase()}${hints.slice(1)}`
}
