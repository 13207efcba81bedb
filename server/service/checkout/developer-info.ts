import { truncate } from '../../domain/text/truncate.ts'
import { ownerPayout, sendsCancelWebhook, type Link } from '../../domain/links/link.ts'
import type { Cents } from '../../domain/money/cents.ts'
import { applyMaps } from '../../domain/network/origin-map.ts'
import type { Target } from '../../domain/links/targets.ts'
import { webhookTargets } from '../operations/webhooks/enqueue-webhooks.ts'
import { activeBehaviors } from '../operations/accounts/caller.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'

/** The address that a map leads to, if a map applies. */
interface Mapping {
  readonly mappedTo: string | undefined
}

/** What the developer box shows about a link: shares, webhook targets and redirect. */
export interface DeveloperInfo {
  /** Empty if the link has no split. */
  readonly shares: readonly { readonly name: string; readonly amount: Cents }[]
  readonly hiddenShares: number
  readonly targets: readonly (Target & Mapping)[]
  readonly redirect: Mapping
  readonly sendsCancelWebhook: boolean
}

/** Limited, because a split may have a thousand recipients. The inspector shows all of them. */
const MAX_SHOWN_RECIPIENTS = 4
const MAX_NAME_LENGTH = 120

export async function readDeveloperInfo(work: UnitOfWork, link: Link, payee: string): Promise<DeveloperInfo> {
  const shown: { name: string; amount: Cents }[] = []
  for (const { accountId, amount } of link.recipients.slice(0, MAX_SHOWN_RECIPIENTS)) {
    shown.push({ name: await ownerName(work, accountId), amount })
  }
  const behaviors = await activeBehaviors(work, link.accountId)
  const maps = await egressRules.maps(work.db)
  const mappingOf = (address: string): Mapping => ({ mappedTo: applyMaps(address, maps)?.to })
  return {
    shares: link.kind === 'split' ? [...shown, { name: payee, amount: ownerPayout(link) }] : [],
    hiddenShares: link.recipients.length - shown.length,
    targets: (await webhookTargets(work, link)).map((target) => ({ ...target, ...mappingOf(target.url) })),
    redirect: mappingOf(link.callbackUrl),
    sendsCancelWebhook: sendsCancelWebhook(link, behaviors.settings.cancelWebhook),
  }
}

/** The name of an account. Truncated if it would fill the page. */
export async function ownerName({ db }: UnitOfWork, accountId: string): Promise<string> {
  const name = (await accounts.find(db, accountId))?.name ?? 'a shop'
  return name.length > MAX_NAME_LENGTH ? `${truncate(name, MAX_NAME_LENGTH)}…` : name
}
