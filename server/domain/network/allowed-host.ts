const HOST_NAME = /^[\p{L}\p{N}_]([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?\.?$/u

/**
 * What people write for a host, as it is compared: a name, `*.` and a domain for every name below it, or an address in
 * whatever notation. `null` for anything else.
 */
export function parseHostPattern(text: string): string | null {
  if (text.length > 255 || text.includes('..')) return null
  if (text === '*.') return null
  if (text.startsWith('*.')) {
    // Below something, as what ends like an address has nothing below it.
    const below = parseHostPattern(`x.${text.slice(2)}`)
    return below && `*${below.slice(1)}`
  }
  const address = /^\[?([\da-f:.]*:[\da-f:.]*)\]?$/i.exec(text)?.[1]
  return address !== undefined || HOST_NAME.test(text)
    ? parseHost(`http://${address ? `[${address}]` : text}`)
    : null
}

/** A pattern is a host name, or `*.` and a domain for every name below it. */
export const matchesHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** What clouds call the place where they tell a machine its secrets. */
export const METADATA_HOSTS: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
])

/** The host of an address, as patterns are compared with it. `null` for a path on the sandbox itself. */
export const parseHost = (address: string): string | null =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null

/** Domains that are nobody's outside of a network. */
const PRIVATE_TOP_LEVEL_DOMAINS = new Set([
  'example',
  'internal',
  'invalid',
  'lan',
  'local',
  'localhost',
  'test',
])

/** What is registered below a country, as in `co.uk`. */
const COUNTRY_PUBLIC_SUFFIX = /^(ac|co|com|edu|gov|govt|gv|ltd|me|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/

/** Patterns that allow hosts of everybody's, which is seldom meant. */
export const warnAboutBroadPatterns = (patterns: readonly string[]): readonly string[] =>
  patterns.flatMap((pattern) => {
    const domain = pattern.startsWith('*.') ? pattern.slice(2) : ''
    const isShared =
      (!domain.includes('.') && !PRIVATE_TOP_LEVEL_DOMAINS.has(domain)) || COUNTRY_PUBLIC_SUFFIX.test(domain)
    return domain !== '' && isShared
      ? [`${pattern} opens every host below .${domain}, of whoever has one. Name a domain of your own.`]
      : []
  })
