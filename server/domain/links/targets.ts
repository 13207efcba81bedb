import { ApiError, messages } from '../api/api-error.ts'
import { isHttpUrl } from '../network/urls.ts'
import { truncate } from '../text/truncate.ts'
import type { Account } from '../accounts/account.ts'

/** One resolved URL a webhook goes to, and why it goes there. A path is on the sandbox itself. */
export interface Target {
  readonly url: string
  readonly reason: string
}

interface AccountUrls {
  /** The request's field: `payment_endpoint` or `callback_url`. */
  readonly field: string
  /** What the account calls its list, for explanations. */
  readonly listName: string
  readonly urls: readonly string[]
  /** Called for an index past the end of the list; says whether to refuse or to leave it out. */
  readonly outOfRange: () => 'refuse' | 'ignore'
}

/** The reference shows no limit. Each entry is one POST for every outcome. */
export const MAX_URL_ENTRIES = 100

/** What one entry of a comma-separated mix of URLs and 0-based indexes stands for. */
export interface TargetEntry {
  readonly position: number
  /** As it was written. */
  readonly entry: string
  /** `null` where the entry stands for none. */
  readonly url: string | null
  /** Why it stands for that URL, or what is wrong with it. */
  readonly reason: string
  readonly problem: 'invalid' | 'out-of-range' | null
}

/** Resolves a comma-separated mix of URLs and 0-based indexes, in the order given. */
export function resolveTargets(given: string, list: AccountUrls): Target[] {
  return parseEntries(given, list).flatMap(({ url, reason, problem }) => {
    if (url !== null) return [{ url, reason }]
    if (problem === 'out-of-range' && list.outOfRange() === 'ignore') return []
    throw new ApiError('invalid', reason)
  })
}

/** Says of each entry that is not empty what it stands for, whether or not anything does. */
export function parseEntries(given: string, list: Omit<AccountUrls, 'outOfRange'>): TargetEntry[] {
  const entries = given.split(',').map((entry) => entry.trim())
  if (entries.length > MAX_URL_ENTRIES) {
    throw new ApiError('invalid', messages.tooManyEntries(list.field, MAX_URL_ENTRIES))
  }
  return entries.flatMap((entry, position) => (entry === '' ? [] : [parseEntry(entry, position, list)]))
}

function parseEntry(
  entry: string,
  position: number,
  { field, listName, urls }: Omit<AccountUrls, 'outOfRange'>,
): TargetEntry {
  const toEntry = (
    url: string | null,
    reason: string,
    problem: TargetEntry['problem'] = null,
  ): TargetEntry => ({
    position,
    entry,
    url,
    reason,
    problem,
  })

  if (!/^\d+$/.test(entry)) {
    return isHttpUrl(entry)
      ? toEntry(entry, `${field} entry ${position} is this URL`)
      : toEntry(null, messages.entryInvalid(field, position, truncate(entry, 200)), 'invalid')
  }
  const url = urls[Number(entry)]
  return url === undefined
    ? toEntry(null, messages.indexOutOfRange(field, truncate(entry, 20), urls.length), 'out-of-range')
    : toEntry(url, `${field} entry ${position} is index ${entry} of the ${listName}`)
}

/** The account's lists that the two fields of a request point into. */
export const callbackUrlList = ({ callbackUrls }: Pick<Account, 'callbackUrls'>) => ({
  field: 'callback_url',
  listName: 'callback URLs',
  urls: callbackUrls,
})

export const webhookUrlList = ({ webhookUrls }: Pick<Account, 'webhookUrls'>) => ({
  field: 'payment_endpoint',
  listName: 'webhook URLs',
  urls: webhookUrls,
})

export const accountDefaultTargets = (paymentEndpoint: string): Target[] =>
  paymentEndpoint === ''
    ? []
    : [{ url: paymentEndpoint, reason: "the account's payment endpoint, as the link names none" }]
