import { Refusal, wording } from '../api/api-error.ts'
import { isHttpUrl } from '../network/urls.ts'
import { excerpt } from '../text/truncate.ts'
import type { Account } from '../accounts/account.ts'

/** One resolved URL a webhook goes to, and why it goes there. A path is on the sandbox itself. */
export interface Target {
  readonly url: string
  readonly reason: string
}

interface UrlList {
  /** The request's field: `payment_endpoint` or `callback_url`. */
  readonly field: string
  /** What the account calls its list, for explanations. */
  readonly listName: string
  readonly urls: readonly string[]
  /** Called for an index past the end of the list; says whether to refuse or to leave it out. */
  readonly outOfRange: () => 'refuse' | 'ignore'
}

/** The reference shows no limit. Each entry is one POST for every outcome. */
export const MOST_ENTRIES = 100

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
export function resolveTargets(given: string, list: UrlList): Target[] {
  return readEntries(given, list).flatMap(({ url, reason, problem }) => {
    if (url !== null) return [{ url, reason }]
    if (problem === 'out-of-range' && list.outOfRange() === 'ignore') return []
    throw new Refusal('invalid', reason)
  })
}

/** Says of each entry that is not empty what it stands for, whether or not anything does. */
export function readEntries(given: string, list: Omit<UrlList, 'outOfRange'>): TargetEntry[] {
  const entries = given.split(',').map((entry) => entry.trim())
  if (entries.length > MOST_ENTRIES) {
    throw new Refusal('invalid', wording.tooManyEntries(list.field, MOST_ENTRIES))
  }
  return entries.flatMap((entry, position) => (entry === '' ? [] : [readEntry(entry, position, list)]))
}

function readEntry(
  entry: string,
  position: number,
  { field, listName, urls }: Omit<UrlList, 'outOfRange'>,
): TargetEntry {
  const read = (url: string | null, reason: string, problem: TargetEntry['problem'] = null): TargetEntry => ({
    position,
    entry,
    url,
    reason,
    problem,
  })

  if (!/^\d+$/.test(entry)) {
    return isHttpUrl(entry)
      ? read(entry, `${field} entry ${position} is this URL`)
      : read(null, wording.entryInvalid(field, position, excerpt(entry, 200)), 'invalid')
  }
  const url = urls[Number(entry)]
  return url === undefined
    ? read(null, wording.indexOutOfRange(field, excerpt(entry, 20), urls.length), 'out-of-range')
    : read(url, `${field} entry ${position} is index ${entry} of the ${listName}`)
}

/** The account's lists that the two fields of a request point into. */
export const callbackList = ({ callbackUrls }: Pick<Account, 'callbackUrls'>) => ({
  field: 'callback_url',
  listName: 'callback URLs',
  urls: callbackUrls,
})

export const webhookList = ({ webhookUrls }: Pick<Account, 'webhookUrls'>) => ({
  field: 'payment_endpoint',
  listName: 'webhook URLs',
  urls: webhookUrls,
})

export const accountDefault = (paymentEndpoint: string): Target[] =>
  paymentEndpoint === ''
    ? []
    : [{ url: paymentEndpoint, reason: "the account's payment endpoint, as the link names none" }]
