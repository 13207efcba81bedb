import type { Account } from './account.ts'
import { excerpt } from './excerpt.ts'
import { Refusal, wording } from './refusals.ts'
import { objectionToTunnel } from './tunnel.ts'

/** One resolved URL a webhook goes to, and why it goes there. A path is on the sandbox itself. */
export interface Target {
  readonly url: string
  readonly because: string
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
  readonly because: string
  readonly problem: 'invalid' | 'out-of-range' | null
}

/** Resolves a comma-separated mix of URLs and 0-based indexes, in the order given. */
export function resolveTargets(given: string, list: UrlList): Target[] {
  return readEntries(given, list).flatMap(({ url, because, problem }) => {
    if (url !== null) return [{ url, because }]
    if (problem === 'out-of-range' && list.outOfRange() === 'ignore') return []
    throw new Refusal('invalid', because)
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
  const read = (
    url: string | null,
    because: string,
    problem: TargetEntry['problem'] = null,
  ): TargetEntry => ({ position, entry, url, because, problem })

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
    : [{ url: paymentEndpoint, because: "the account's payment endpoint, as the link names none" }]

/**
 * A URL parser repairs what is no absolute URL without saying so. It reads `http:host/x` as a path where it is given
 * a base, and as a host where it is not. It drops line breaks and tabs, which whoever shows the text does not.
 */
const ABSOLUTE = /^https?:\/\/(?![/\\])\P{Cc}+$/iu

/** Whether text is an absolute http or https URL without credentials in it. */
export function isHttpUrl(text: string): boolean {
  if (!ABSOLUTE.test(text)) return false
  try {
    // Asking `canParse` first would parse twice, and every new link comes by here.
    const { username, password } = new URL(text)
    return username === '' && password === ''
  } catch {
    return false
  }
}

/** What speaks against an address that an account has in a list. `null` for nothing. */
export const objectionToUrl = (text: string): string | null =>
  isHttpUrl(text) ? null : 'should be an absolute http or https URL'

/** Whether text reads as several addresses. A comma alone may be part of one. */
export const isSeveral = (text: string): boolean => /,\s*(https?:\/\/|\/tunnel\/)/i.test(text)

/** What speaks against where an account's webhooks go by default. `null` for nothing. */
export function objectionToEndpoint(text: string): string | null {
  if (isSeveral(text)) {
    return 'should be one URL: several belong into webhookUrls, and the payment_endpoint of a link names them by index, like 0,1'
  }
  return text === '' || isTunnelPath(text) || isHttpUrl(text)
    ? objectionToTunnelPath(text)
    : 'should be an absolute http or https URL, a path below /tunnel/, or empty'
}

/** A path on the sandbox itself that captures. Seen as it will be asked for: dots may lead elsewhere. */
export const isTunnelPath = (text: string): boolean => tunnelNameIn(text) !== null

/** What speaks against the tunnel that a path names. `null` for nothing, and for what is no such path. */
export function objectionToTunnelPath(text: string): string | null {
  const name = tunnelNameIn(text)
  return name === null ? null : objectionToTunnel(name)
}

function tunnelNameIn(text: string): string | null {
  if (!/^\/tunnel\/\P{Cc}*$/u.test(text)) return null
  const [, first, name = ''] = new URL(text, 'http://localhost').pathname.split('/')
  return first === 'tunnel' ? name : null
}
