import { cacheRecent } from '../text/cache-recent.ts'
import { TUNNEL_NAME_FORM, TUNNEL_NAME_PATTERN } from './tunnel.ts'

/**
 * Parsers of URLs silently repair invalid ones: `http:host/x` becomes a path or a host, and line breaks and tabs disappear. This
 * pattern rejects them.
 */
const ABSOLUTE = /^https?:\/\/(?![/\\])\P{Cc}+$/iu

/** Whether a text is an absolute http or https URL. It may contain credentials. */
export const isHttpUrl = cacheRecent((text) => ABSOLUTE.test(text) && URL.canParse(text))

/** Why an account cannot have a URL in one of its lists, or `null` if it can have this URL. */
export const whyInvalidUrl = (text: string): string | null =>
  isHttpUrl(text) ? null : 'should be an absolute http or https URL'

/** The port of a URL, even if it is the protocol's default and not written. */
export const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Whether a text looks like several URLs. A comma alone can be part of one URL. */
export const isUrlList = (text: string): boolean => /,\s*(https?:\/\/|\/tunnel\/)/i.test(text)

/** Why an account cannot have a URL as its default webhook target, or `null` if it can have this URL. */
export function whyInvalidEndpoint(text: string): string | null {
  if (isUrlList(text)) {
    return 'should be one URL: several belong in webhookUrls, and the payment_endpoint of a link refers to them by index, like 0,1'
  }
  return text === '' || isTunnelPath(text) || isHttpUrl(text)
    ? whyInvalidTunnelPath(text)
    : 'should be an absolute http or https URL, a path below /tunnel/, or empty'
}

/** Whether a text is the path of a tunnel on this sandbox. Resolves dots first, because they may lead to a different path. */
export const isTunnelPath = (text: string): boolean => parseTunnelName(text) !== null

/** Why the tunnel's name in a path is invalid. `null` if it is valid, or if the path does not lead to a tunnel. */
export function whyInvalidTunnelPath(text: string): string | null {
  const name = parseTunnelName(text)
  return name === null || TUNNEL_NAME_PATTERN.test(name)
    ? null
    : `should have a tunnel name of ${TUNNEL_NAME_FORM}`
}

function parseTunnelName(text: string): string | null {
  if (!/^\/tunnel\/\P{Cc}*$/u.test(text)) return null
  const [, first, name = ''] = new URL(text, 'http://localhost').pathname.split('/')
  return first === 'tunnel' ? name : null
}

/** The path of a URL on this sandbox, or `null` if the URL leads elsewhere. */
export type ResolveOwnPath = (address: string) => string | null
