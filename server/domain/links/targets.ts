import { MAX_TARGETS } from './limits.ts'
import { ApiError, apiError, errorDetails, type ErrorDetails } from '../api/api-error.ts'
import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { isHttpUrl } from '../network/urls.ts'
import { cacheRecent } from '../text/cache-recent.ts'
import { truncate } from '../text/truncate.ts'
import type { Account } from '../accounts/account.ts'
import { hidePasswords } from '../network/credentials.ts'

/** A URL that receives a webhook, and the reason why. If it is a path, it is an address of the sandbox itself. */
export interface Target {
  readonly url: string
  readonly reason: string
}

interface EntryList {
  /** The field of the request: `payment_endpoint` or `callback_url`. */
  readonly field: string
  /** What error messages call the account's list. */
  readonly listName: string
  readonly urls: readonly string[]
  /** Whether only the first entry is used. */
  readonly usesFirstOnly: boolean
}

interface Handlers {
  /** Decides what happens if an index is beyond the list. */
  readonly outOfRange: () => BehaviorSettings['indexOutOfRange']
  /** Called for an entry that a different service might refuse, read differently or write differently. */
  readonly onUnusualEntry?: () => void
}

/** One resolved entry of a comma-separated list of URLs and 0-based indexes. */
export interface TargetEntry {
  readonly position: number
  /** The original text of the entry. */
  readonly entry: string
  /** `null` if the entry does not resolve to a URL. */
  readonly url: string | null
  /** Why the entry resolves to this URL, or what is wrong with it. */
  readonly reason: string
  readonly problem: 'invalid' | 'out-of-range' | null
}

/** Resolves a comma-separated list of URLs and 0-based indexes, in the sequence of the list. */
export function resolveTargets(
  text: string,
  list: EntryList,
  { outOfRange, onUnusualEntry }: Handlers,
): Target[] {
  const entries = parseEntries(text, list)
  if (hasUnusualNotation(text)) onUnusualEntry?.()
  const unusable = entries.map((entry, index) => {
    const { url, problem } = entry
    if (problem === 'invalid' || (url !== null && !isNormalized(url))) onUnusualEntry?.()
    if (problem === null) return null
    const effect = problem === 'invalid' ? 'refused' : outOfRangeEffect(outOfRange(), index, list)
    if (effect === 'refused') throw new ApiError(entryError(entry, list))
    return effect
  })
  if (unusable.includes('field-left-out')) return []
  return entries.flatMap(({ url, reason }) => (url === null ? [] : [{ url, reason }]))
}

/** What happens to an entry, or to the whole field, if its index is beyond the list. */
export function outOfRangeEffect(
  choice: BehaviorSettings['indexOutOfRange'],
  index: number,
  { usesFirstOnly }: Pick<EntryList, 'usesFirstOnly'>,
): 'refused' | 'left-out' | 'field-left-out' {
  if (choice === 'ignore-field') return 'field-left-out'
  const isUsed = index === 0 || !usesFirstOnly
  return choice === 'refuse' || (choice === 'refuse-used' && isUsed) ? 'refused' : 'left-out'
}

/** Whether a list has empty entries, spaces around entries, or indexes with leading zeros. */
const hasUnusualNotation = (text: string): boolean =>
  text !== '' &&
  text.split(',').some((entry) => entry === '' || entry !== entry.trim() || /^0\d+$/.test(entry))

/** Whether a URL is already normalized, apart from an empty path, which becomes a slash. */
const isNormalized = cacheRecent((url) => {
  const { href } = new URL(url)
  return href === url || href === `${url}/`
})

/** Explains every entry that is not empty, even if it has no URL. */
export function parseEntries(text: string, list: EntryList): TargetEntry[] {
  const entries = text.split(',').map((entry) => entry.trim())
  if (entries.length > MAX_TARGETS) {
    throw apiError('tooManyEntries', list.field, MAX_TARGETS)
  }
  return entries.flatMap((entry, position) => (entry === '' ? [] : [parseEntry(entry, position, list)]))
}

function parseEntry(entry: string, position: number, { field, listName, urls }: EntryList): TargetEntry {
  const isIndex = /^\d+$/.test(entry)
  const url = isIndex ? urls[Number(entry)] : isHttpUrl(entry) ? entry : undefined
  if (url === undefined) {
    const problem = isIndex ? 'out-of-range' : 'invalid'
    const reason = entryError({ position, entry, problem }, { field, urls }).message
    return { position, entry, url: null, reason, problem }
  }
  const reason = isIndex
    ? `The link's ${field} names index ${entry} of the account's ${listName}`
    : `The link's ${field} names this URL`
  return { position, entry, url, reason, problem: null }
}

const entryError = (
  { position, entry, problem }: Pick<TargetEntry, 'position' | 'entry' | 'problem'>,
  { field, urls }: Pick<EntryList, 'field' | 'urls'>,
): ErrorDetails =>
  problem === 'out-of-range'
    ? errorDetails('indexOutOfRange', field, truncate(hidePasswords(entry), 20), urls.length)
    : errorDetails('entryInvalid', field, position, truncate(hidePasswords(entry), 200))

/** The account's lists that the two fields of a request refer to. */
export const callbackUrlList = ({ callbackUrls }: Pick<Account, 'callbackUrls'>) => ({
  field: 'callback_url',
  listName: 'callback URLs',
  usesFirstOnly: true,
  urls: callbackUrls,
})

export const webhookUrlList = ({ webhookUrls }: Pick<Account, 'webhookUrls'>) => ({
  field: 'payment_endpoint',
  listName: 'webhook URLs',
  usesFirstOnly: false,
  urls: webhookUrls,
})

export const accountDefaultTargets = (paymentEndpoint: string): Target[] =>
  paymentEndpoint === ''
    ? []
    : [
        {
          url: paymentEndpoint,
          reason: "The account's payment endpoint is used, because the link names no target",
        },
      ]
