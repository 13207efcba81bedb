/** `localhost`, a host without dots, an IPv4 or IPv6 address, or a name that is used only on private networks. */
const LOCAL_HOST = String.raw`(?:[\w-]+|[\w.-]+\.(?:localhost|local|internal|test)|\d+(?:\.\d+){3}|\[[\da-f:.]+\])`
const HOST_AND_PORT = new RegExp(String.raw`^${LOCAL_HOST}:\d+(?=[/?]|$)`, 'i')
const KNOWN_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[/?]|$)/i

/**
 * Adds the `http://` that people leave out of addresses such as `localhost:3000`, `3000` and `:3000`. Returns any other text
 * unchanged, because a public address could be http or https.
 */
export function completeAddress(address: string): string {
  if (/^:?\d+(?=\/|$)/.test(address)) return `http://localhost:${address.replace(/^:/, '')}`
  return HOST_AND_PORT.test(address) || KNOWN_HOST.test(address) ? `http://${address}` : address
}

/**
 * An example of a valid address, for errors. If only the scheme is missing, the example is the user's own host with `https://`.
 */
export const addressExample = (address: string, example: string): string =>
  /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?=[/?]|$)/.test(address) ? `https://${address}` : example
