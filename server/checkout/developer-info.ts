import { truncate } from '../domain/text/truncate.ts'
import { ownerPayout, type Link } from '../domain/links/link.ts'
import type { Cents } from '../domain/money/money.ts'
import { applyMaps } from '../domain/network/origin-map.ts'
import type { Target } from '../domain/links/targets.ts'
import { targetsOf } from '../operations/webhooks/enqueue-webhooks.ts'
import { inForceFor } from '../operations/caller.ts'
import * as accounts from '../store/repositories/accounts.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../store/store.ts'

/** Where a map leads an address, `undefined` where none does. */
interface WhereTo {
  readonly mappedTo: string | undefined
}

/** What stands behind a link and no customer sees: who gets what, and who will be told. */
export interface DeveloperInfo {
  /** Empty for a link that is not split. */
  readonly parts: readonly { readonly name: string; readonly amount: Cents }[]
  readonly morePartsThanShown: number
  readonly targets: readonly (Target & WhereTo)[]
  readonly redirect: WhereTo
  readonly tellsOfCancel: boolean
}

/** A split may have a thousand recipients. The inspector lists them all. */
const PARTS_SHOWN = 4
const NAME_SHOWN = 120

export async function behind(work: UnitOfWork, link: Link, payee: string): Promise<DeveloperInfo> {
  const shown: { name: string; amount: Cents }[] = []
  for (const { accountId, amount } of link.recipients.slice(0, PARTS_SHOWN)) {
    shown.push({ name: await nameOf(work, accountId), amount })
  }
  const inForce = await inForceFor(work, link.accountId)
  const maps = await egressRules.maps(work.db)
  const whereTo = (address: string): WhereTo => ({ mappedTo: applyMaps(address, maps)?.to })
  return {
    parts: link.kind === 'split' ? [...shown, { name: payee, amount: ownerPayout(link) }] : [],
    morePartsThanShown: link.recipients.length - shown.length,
    targets: (await targetsOf(work, link)).map((target) => ({ ...target, ...whereTo(target.url) })),
    redirect: whereTo(link.callbackUrl),
    tellsOfCancel: inForce.peek('cancelWebhook') === 'send',
  }
}

/** The name of an account, or the beginning of one that would fill the page. */
export async function nameOf({ db }: UnitOfWork, accountId: string): Promise<string> {
  const name = (await accounts.find(db, accountId))?.name ?? 'a shop'
  return name.length > NAME_SHOWN ? `${truncate(name, NAME_SHOWN)}…` : name
}
