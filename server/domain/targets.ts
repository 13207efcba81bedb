import { excerpt } from './excerpt.ts'
import { Refusal, wording } from './refusals.ts'

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
const MOST_ENTRIES = 100

/** Resolves a comma-separated mix of URLs and 0-based indexes, in the order given. */
export function resolveTargets(given: string, list: UrlList): Target[] {
  const entries = given.split(',').map((entry) => entry.trim())
  if (entries.length > MOST_ENTRIES) {
    throw new Refusal('invalid', wording.tooManyEntries(list.field, MOST_ENTRIES))
  }
  return entries.flatMap((entry, position) => (entry === '' ? [] : resolveEntry(entry, position, list)))
}

function resolveEntry(
  entry: string,
  position: number,
  { field, listName, urls, outOfRange }: UrlList,
): Target[] {
  if (!/^\d+$/.test(entry)) {
    if (!isHttpUrl(entry))
      throw new Refusal('invalid', wording.entryInvalid(field, position, excerpt(entry, 200)))
    return [{ url: entry, because: `${field} entry ${position} is this URL` }]
  }

  const url = urls[Number(entry)]
  if (url !== undefined)
    return [{ url, because: `${field} entry ${position} is index ${entry} of the ${listName}` }]
  if (outOfRange() === 'refuse') {
    throw new Refusal('invalid', wording.indexOutOfRange(field, excerpt(entry, 20), urls.length))
  }
  return []
}

export const accountDefault = (paymentEndpoint: string): Target[] =>
  paymentEndpoint === ''
    ? []
    : [{ url: paymentEndpoint, because: "the account's payment endpoint, as the link names none" }]

/** Whether text is an absolute http or https URL without credentials in it. */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}
