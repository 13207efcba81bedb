import { parseHost } from '../../domain/network/allowed-host.ts'
import type { EgressVerdict } from '../../domain/network/egress-rules.ts'
import type { ControlContext } from '../context.ts'

type Judges = Pick<ControlContext, 'checkEgress' | 'ownPath'>

/** A name that nobody answers for takes seconds, and the machine looks up a few at a time. */
const AT_ONCE = 8

/** Judges where webhooks would go, each host once. */
export async function checkTargets(
  { checkEgress: judge, ownPath }: Judges,
  targets: readonly string[],
): Promise<(target: string) => EgressVerdict> {
  // The sandbox's own tunnels are asked where it listens, by whatever name, and anything else by its host.
  const keyOf = (target: string): string =>
    ownPath(target)?.startsWith('/tunnel/') ? '' : (parseHost(target) ?? target)
  const left = [...new Map(targets.map((target) => [keyOf(target), target]))]
  const judged = new Map<string, EgressVerdict>()

  async function judgeSome(): Promise<void> {
    for (let next = left.pop(); next; next = left.pop()) judged.set(next[0], await judge(next[1]))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, judgeSome))
  return (target) => judged.get(keyOf(target))!
}

/** Why a webhook would not leave by itself, and where it is held, what lets it out. `null` where it would. */
export function heldReason(judged: EgressVerdict, waysOut: () => string): string | null {
  if (judged.verdict === 'send') return null
  if (judged.verdict === 'never') return judged.reason
  const ways = waysOut()
  return `${judged.reason}. ${ways[0]!.toUpperCase()}${ways.slice(1)}`
}
