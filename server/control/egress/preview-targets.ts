import type { Account } from '../../domain/accounts/account.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { applyMaps, type OriginMap } from '../../domain/network/origin-map.ts'
import {
  accountDefaultTargets,
  callbackUrlList,
  parseEntries,
  webhookUrlList,
  type TargetEntry,
} from '../../domain/links/targets.ts'
import { isHttpUrl, isUrlList, isTunnelPath } from '../../domain/network/urls.ts'

/** The effect of an entry without a valid URL. */
type InvalidEntryEffect = 'refused' | 'left-out'

/** An entry of a target list, and where its notification would go. */
export interface PreviewedEntry extends Omit<TargetEntry, 'position' | 'entry'> {
  /** `null` for the default of the account. */
  readonly position: number | null
  readonly entry: string | null
  readonly consequence: InvalidEntryEffect | null
  /** The position of an earlier entry with the same URL. Both get a notification. */
  readonly repeats: number | null
  readonly mappedTo?: string
  /** The origin of the map that was applied. */
  readonly mappedBy?: string
}

interface PreviewOptions {
  readonly account: Pick<Account, 'paymentEndpoint' | 'callbackUrls' | 'webhookUrls'>
  readonly paymentEndpoint: string
  readonly callbackUrl: string
  readonly outOfRange: 'refuse' | 'ignore'
  readonly maps: readonly OriginMap[]
}

/** Resolves both target fields of a link, entry by entry. Tunnels of this sandbox stay paths. */
export function previewTargets(options: PreviewOptions) {
  const { account, paymentEndpoint, callbackUrl } = options
  const preview = (entries: readonly TargetEntry[]) =>
    entries.map(validate).map((entry, index, all) => previewEntry(entry, all.slice(0, index), options))
  const callbacks = preview(parseEntries(callbackUrl, callbackUrlList(account)))
  const named = preview(parseEntries(paymentEndpoint, webhookUrlList(account)))
  const [target] = accountDefaultTargets(account.paymentEndpoint)
  const accountDefault = target && {
    ...previewEntry(validateDefault({ ...target, position: 0, entry: '', problem: null }), [], options),
    position: null,
    entry: null,
  }
  const isNamed = named.some(({ url, consequence }) => url !== null || consequence === 'refused')
  return {
    refusal: [...callbacks, ...named].find(({ consequence }) => consequence === 'refused')?.reason ?? null,
    targets: isNamed || accountDefault === undefined ? named : [...named, accountDefault],
    callbacks,
    used: callbacks.findIndex(({ url }) => url !== null),
    passedOver: isNamed && accountDefault !== undefined ? accountDefault : null,
  }
}

/** The preview gets lists while they are typed, so entries may be anything. */
function validate(entry: TargetEntry): TargetEntry {
  const { url, reason } = entry
  if (url === null || isHttpUrl(url) || isTunnelPath(url)) return entry
  return { ...entry, url: null, reason: `${reason}. That is not an http(s) URL`, problem: 'invalid' }
}

/** The default of an account is one URL, while a link may name several. */
const validateDefault = (entry: TargetEntry): TargetEntry =>
  entry.url !== null && isUrlList(entry.url)
    ? { ...entry, url: null, reason: `${entry.reason}. It must be one URL`, problem: 'invalid' }
    : validate(entry)

function previewEntry(
  entry: TargetEntry,
  earlier: readonly TargetEntry[],
  { outOfRange, maps }: PreviewOptions,
): PreviewedEntry {
  const { url, problem } = entry
  const mapped = url === null ? null : applyMaps(url, maps)
  const same = url === null ? undefined : earlier.find((other) => other.url === url)
  const isRefused = problem === 'invalid' || outOfRange === 'refuse'
  return {
    ...entry,
    consequence: problem === null ? null : isRefused ? 'refused' : 'left-out',
    repeats: same?.position ?? null,
    ...omitUndefined({ mappedTo: mapped?.to, mappedBy: mapped?.map.from }),
  }
}
