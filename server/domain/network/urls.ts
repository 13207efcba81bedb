import { validateTunnelName } from './tunnel.ts'

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
export const validateUrl = (text: string): string | null =>
  isHttpUrl(text) ? null : 'should be an absolute http or https URL'

/** Whether text reads as several addresses. A comma alone may be part of one. */
export const isUrlList = (text: string): boolean => /,\s*(https?:\/\/|\/tunnel\/)/i.test(text)

/** What speaks against where an account's webhooks go by default. `null` for nothing. */
export function validateEndpoint(text: string): string | null {
  if (isUrlList(text)) {
    return 'should be one URL: several belong into webhookUrls, and the payment_endpoint of a link names them by index, like 0,1'
  }
  return text === '' || isTunnelPath(text) || isHttpUrl(text)
    ? validateTunnelPath(text)
    : 'should be an absolute http or https URL, a path below /tunnel/, or empty'
}

/** A path on the sandbox itself that captures. Seen as it will be asked for: dots may lead elsewhere. */
export const isTunnelPath = (text: string): boolean => parseTunnelName(text) !== null

/** What speaks against the tunnel that a path names. `null` for nothing, and for what is no such path. */
export function validateTunnelPath(text: string): string | null {
  const name = parseTunnelName(text)
  return name === null ? null : validateTunnelName(name)
}

function parseTunnelName(text: string): string | null {
  if (!/^\/tunnel\/\P{Cc}*$/u.test(text)) return null
  const [, first, name = ''] = new URL(text, 'http://localhost').pathname.split('/')
  return first === 'tunnel' ? name : null
}

/** The path that an address has on this sandbox, `null` where it leads elsewhere. */
export type ResolveOwnPath = (address: string) => string | null
