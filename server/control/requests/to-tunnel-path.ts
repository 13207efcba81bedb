import { isTunnelPath, validateTunnelPath } from '../../domain/network/urls.ts'
import { Problem } from './problem.ts'
import { truncate } from '../../domain/text/truncate.ts'

/** Takes a tunnel's address back as it was shown, and keeps the path, which survives another port. */
export function toTunnelPath(address: string, baseUrl: string): string {
  const path = address.slice(baseUrl.length)
  if (!address.startsWith(baseUrl) || !isTunnelPath(path)) return address
  const objection = validateTunnelPath(path)
  if (objection !== null) throw new Problem(400, 'Not valid', `${truncate(address, 200)}: ${objection}.`)
  return path
}

/** Refuses addresses that name tunnels of this sandbox which cannot be. */
export function assertTunnelUrls(
  { callbackUrls = [], webhookUrls = [] }: Partial<Record<'callbackUrls' | 'webhookUrls', string[]>>,
  baseUrl: string,
): void {
  for (const url of [...callbackUrls, ...webhookUrls]) toTunnelPath(url, baseUrl)
}

/** The same of what is said of an account. */
export const endpointToTunnelPath = (
  { paymentEndpoint: given }: { paymentEndpoint?: string | undefined },
  baseUrl: string,
) => (given === undefined ? {} : { paymentEndpoint: toTunnelPath(given, baseUrl) })
