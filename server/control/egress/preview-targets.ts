import type { Account } from '../../domain/accounts/account.ts'
import type { BehaviorSettings } from '../../domain/behaviors/behavior.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { applyMaps, type OriginMap } from '../../domain/network/origin-map.ts'
import {
  accountDefaultTargets,
  callbackUrlList,
  outOfRangeEffect,
  parseEntries,
  webhookUrlList,
  type TargetEntry,
} from '../../domain/links/targets.ts'
import { isHttpUrl, isUrlList, isTunnelPath } from '../../domain/network/urls.ts'

/** What the service does with an entry that has no valid URL. */
type InvalidEntryEffect = 'refused' | 'left-out'

/** An entry of a target list, and the address that its notification goes to. */
export interface PreviewedEntry extends Omit<TargetEntry, 'position' | 'entry'> {
  /** `null` for the default of the account. */
  readonly position: number | null
  readonly entry: string | null
  readonly consequence: InvalidEntryEffect | null
  /** The position of an earlier entry with the same URL, which also gets a notification. */
  readonly repeats: number | null
  readonly mappedTo?: string
  /** The origin of the map that was applied. */
  readonly mappedBy?: string
}

interface PreviewOptions {
  readonly account: Pick<Account, 'paymentEndpoint' | 'callbackUrls' | 'webhookUrls'>
  readonly paymentEndpoint: string
  readonly callbackUrl: string
  readonly outOfRange: BehaviorSettings['indexOutOfRange']
  readonly maps: readonly OriginMap[]
}

type UrlList = ReturnType<typeof callbackUrlList>

/** Resolves each entry of both target fields of a link. Tunnels of this sandbox stay paths. */
export function previewTargets(options: PreviewOptions) {
  const { account, paymentEndpoint, callbackUrl } = options
  const preview = (listText: string, list: UrlList): PreviewedEntry[] => {
    const entries = parseEntries(listText, list).map(validate)
    const effects = entries.map(({ problem }, index) => {
      if (problem === null) return null
      return problem === 'invalid' ? 'refused' : outOfRangeEffect(options.outOfRange, index, list)
    })
    const isLeftOut = effects.includes('field-left-out')
    return entries.map((entry, index) => ({
      ...previewEntry(entry, entries.slice(0, index), options),
      consequence: effects[index] === 'refused' ? 'refused' : isLeftOut || effects[index] ? 'left-out' : null,
    }))
  }
  const callbacks = preview(callbackUrl, callbackUrlList(account))
  const named = preview(paymentEndpoint, webhookUrlList(account))
  const [target] = accountDefaultTargets(account.paymentEndpoint)
  const accountDefault = target && {
    ...previewEntry(validateDefault({ ...target, position: 0, entry: '', problem: null }), [], options),
    position: null,
    entry: null,
  }
  const isNamed = named.some((entry) => isUsed(entry) || entry.consequence === 'refused')
  return {
    refusal: [...callbacks, ...named].find(({ consequence }) => consequence === 'refused')?.reason ?? null,
    targets: isNamed || accountDefault === undefined ? named : [...named, accountDefault],
    callbacks,
    used: callbacks.findIndex(isUsed),
    passedOver: isNamed && accountDefault !== undefined ? accountDefault : null,
  }
}

const isUsed = ({ url, consequence }: PreviewedEntry): boolean => url !== null && consequence === null

/** An entry may be any text, because lists are also previewed while they are being typed. */
function validate(entry: TargetEntry): TargetEntry {
  const { url, reason } = entry
  if (url === null || isHttpUrl(url) || isTunnelPath(url)) return entry
  return { ...entry, url: null, reason: `${reason}. That is not an http(s) URL`, problem: 'invalid' }
}

/** An account's default must be one URL. A link's value may list several. */
const validateDefault = (entry: TargetEntry): TargetEntry =>
  entry.url !== null && isUrlList(entry.url)
    ? { ...entry, url: null, reason: `${entry.reason}. It must be one URL`, problem: 'invalid' }
    : validate(entry)

function previewEntry(
  entry: TargetEntry,
  earlier: readonly TargetEntry[],
  { maps }: PreviewOptions,
): PreviewedEntry {
  const { url, problem } = entry
  const mapped = url === null ? null : applyMaps(url, maps)
  const same = url === null ? undefined : earlier.find((other) => other.url === url)
  return {
    ...entry,
    consequence: problem === null ? null : 'refused',
    repeats: same?.position ?? null,
    ...omitUndefined({ mappedTo: mapped?.to, mappedBy: mapped?.map.from }),
  }
}
