import { isTunnelPath, whyInvalidTunnelPath } from '../../domain/network/urls.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { invalid } from './problem.ts'

/**
 * Turns the URL of a tunnel of this sandbox into a path, because the sandbox may have a different port when it starts again.
 * Leaves other URLs unchanged.
 */
export function toTunnelPath(address: string, baseUrl: string): string {
  const path = address.slice(baseUrl.length)
  if (!address.startsWith(baseUrl) || !isTunnelPath(path)) return address
  const objection = whyInvalidTunnelPath(path)
  if (objection !== null) throw invalid(`${truncate(address, 200)} ${objection}.`)
  return path
}

/** Rejects URLs of this sandbox's tunnels with an invalid tunnel name. */
export function assertTunnelUrls(
  { callbackUrls = [], webhookUrls = [] }: Partial<Record<'callbackUrls' | 'webhookUrls', string[]>>,
  baseUrl: string,
): void {
  for (const url of [...callbackUrls, ...webhookUrls]) toTunnelPath(url, baseUrl)
}

/** Converts an account's payment endpoint to its stored form. Returns an empty object if there is none. */
export const endpointToTunnelPath = (
  { paymentEndpoint }: { paymentEndpoint?: string | undefined },
  baseUrl: string,
) => (paymentEndpoint === undefined ? {} : { paymentEndpoint: toTunnelPath(paymentEndpoint, baseUrl) })
