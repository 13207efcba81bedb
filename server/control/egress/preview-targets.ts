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

/** What comes of an entry that stands for no URL. */
type Consequence = 'refused' | 'left-out'

/** What one entry stands for, and where a notification for it would go. */
export interface PreviewedEntry extends Omit<TargetEntry, 'position' | 'entry'> {
  /** `null` for what the account has where the link names none. */
  readonly position: number | null
  readonly entry: string | null
  readonly consequence: Consequence | null
  /** The position of an entry before it with the same URL: each is told. */
  readonly repeats: number | null
  readonly mappedTo?: string
  /** The origin of the map that leads there. */
  readonly mappedBy?: string
}

interface Wish {
  readonly account: Pick<Account, 'paymentEndpoint' | 'callbackUrls' | 'webhookUrls'>
  readonly paymentEndpoint: string
  readonly callbackUrl: string
  readonly outOfRange: 'refuse' | 'ignore'
  readonly maps: readonly OriginMap[]
}

/** What the two fields of a link resolve to, entry by entry. A path is on the sandbox itself. */
export function previewTargets({ account, paymentEndpoint, callbackUrl, outOfRange, maps }: Wish) {
  const show = (entries: readonly TargetEntry[]) =>
    entries.map(accepted).map((entry, index, all) => led(entry, index, all, outOfRange, maps))
  const callbacks = show(parseEntries(callbackUrl, callbackUrlList(account)))
  const named = show(parseEntries(paymentEndpoint, webhookUrlList(account)))
  const [target] = accountDefaultTargets(account.paymentEndpoint)
  const own = target && {
    ...led(acceptedOwn({ ...target, position: 0, entry: '', problem: null }), 0, [], outOfRange, maps),
    position: null,
    entry: null,
  }
  const isNamed = named.some(({ url, consequence }) => url !== null || consequence === 'refused')
  return {
    refusal: [...callbacks, ...named].find(({ consequence }) => consequence === 'refused')?.reason ?? null,
    targets: isNamed || own === undefined ? named : [...named, own],
    callbacks,
    used: callbacks.findIndex(({ url }) => url !== null),
    passedOver: isNamed && own !== undefined ? own : null,
  }
}

/** A list that is being typed may have anything in it. */
function accepted(entry: TargetEntry): TargetEntry {
  const { url, reason } = entry
  if (url === null || isHttpUrl(url) || isTunnelPath(url)) return entry
  return { ...entry, url: null, reason: `${reason}, which is no http or https URL`, problem: 'invalid' }
}

/** What an account has for all links is one URL, where a link may name several. */
const acceptedOwn = (entry: TargetEntry): TargetEntry =>
  entry.url !== null && isUrlList(entry.url)
    ? { ...entry, url: null, reason: `${entry.reason}, which is to be one URL`, problem: 'invalid' }
    : accepted(entry)

function led(
  entry: TargetEntry,
  index: number,
  all: readonly TargetEntry[],
  outOfRange: 'refuse' | 'ignore',
  maps: readonly OriginMap[],
): PreviewedEntry {
  const { url, problem } = entry
  const way = url === null ? null : applyMaps(url, maps)
  const same = url === null ? undefined : all.slice(0, index).find((before) => before.url === url)
  const isRefused = problem === 'invalid' || outOfRange === 'refuse'
  return {
    ...entry,
    consequence: problem === null ? null : isRefused ? 'refused' : 'left-out',
    repeats: same?.position ?? null,
    ...omitUndefined({ mappedTo: way?.to, mappedBy: way?.map.from }),
  }
}
