/** Whether a target is on the machine that sends the request. */
export function isLoopback(target: string): boolean {
  if (!URL.canParse(target)) return false
  const { hostname } = new URL(target)
  return /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])\.?$/.test(hostname)
}

/** Whether a server that listens on `host` listens on every address of the machine. */
export const isWildcardHost = (host: string): boolean => host === '0.0.0.0' || host === '::'

/**
 * The host in the URLs of a server that listens on `host`. If the server listens on all addresses, this is the loopback address.
 */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
