import { encodeBase64, findHeader, type Headers } from '../http/exchange.ts'

/** A URL without user name and password, and the header that replaces them. */
interface SplitUrl {
  readonly url: URL
  /** The value of the `Authorization` header. `undefined` if the URL has no credentials. */
  readonly authorization: string | undefined
}

/** Splits `https://user:password@host/path`, as browsers do. Node's `fetch` refuses such a URL. */
export function splitCredentials(address: string | URL): SplitUrl {
  const url = new URL(address)
  const { username, password } = url
  if (username === '' && password === '') return { url, authorization: undefined }
  url.username = ''
  url.password = ''
  const pair = new TextEncoder().encode(`${decode(username)}:${decode(password)}`)
  return { url, authorization: `Basic ${encodeBase64(pair)}` }
}

export const hasCredentials = (address: string): boolean =>
  URL.canParse(address) && splitCredentials(address).authorization !== undefined

/** The header fields of a request. If they have no `Authorization`, the one from the URL is added. */
export const withAuthorization = (headers: Headers, authorization: string | undefined): Headers =>
  authorization === undefined || findHeader(headers, 'authorization') !== undefined
    ? headers
    : [...headers, ['Authorization', authorization]]

/** Adds the user name and password of `from` to `to`, unless `to` has its own. */
export function keepCredentials(from: URL, to: string): string {
  if ((from.username === '' && from.password === '') || hasCredentials(to) || !URL.canParse(to)) return to
  const userInfo = `${from.username}${from.password === '' ? '' : `:${from.password}`}@`
  return to.replace('//', () => `//${userInfo}`)
}

/** A percent sign that starts no escape stays a percent sign. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/**
 * Matches the password of a URL anywhere in a text, even if slashes are escaped as in JSON. The URL may be invalid, because a
 * slash in a password is a common mistake, and the error quotes the URL. After a colon, digits alone are a port, not a password.
 */
const PASSWORD =
  /(:(?:\\?\/){2}[^\s/?#"<>\\:@[]{0,500}):(?:[^\s/?#"<>\\]*|(?!\d*(?:[/?#\s"<>\\]|$))(?:(?!:\/\/)[^\s"<>]){0,500}?)@/g

/** Matches the password in a percent-encoded URL, as in a form. */
const ENCODED_PASSWORD =
  /((?:%3A|:)%2F%2F(?:[^\s/?#"<>\\:@&=%]|%(?!2F|3A|3F|23|40)){0,500}(?:%3A|:))(?:[^\s/?#"<>\\@&=%]|%(?!2F|3F|23|40))*(?=%40|@)/gi

/** Hides the passwords of all URLs in a text: `https://user:…@host/path`. This is how URLs are displayed and recorded. */
export const hidePasswords = (text: string): string =>
  text.includes('@') || text.includes('%40')
    ? text.replace(PASSWORD, '$1:…@').replace(ENCODED_PASSWORD, '$1…')
    : text
