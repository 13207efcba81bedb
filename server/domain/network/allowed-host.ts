const HOST_NAME = /^[\p{L}\p{N}_]([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?\.?$/u

/**
 * Normalizes a host for comparison. It may be a name, `*.` followed by a domain for all its subdomains, or an IP address in any
 * notation. Returns `null` if it is invalid.
 */
export function parseHostPattern(text: string): string | null {
  if (text.length > 255 || text.includes('..')) return null
  if (text === '*.') return null
  if (text.startsWith('*.')) {
    // Adds a subdomain before parsing, because a text that ends like an IP address has no subdomains.
    const below = parseHostPattern(`x.${text.slice(2)}`)
    return below && `*${below.slice(1)}`
  }
  const address = /^\[?([\da-f:.]*:[\da-f:.]*)\]?$/i.exec(text)?.[1]
  return address !== undefined || HOST_NAME.test(text)
    ? parseHost(`http://${address ? `[${address}]` : text}`)
    : null
}

/** Whether a host matches a pattern, which is a host name, or `*.` followed by a domain for all its subdomains. */
export const matchesHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** Host names of cloud metadata services, which give secrets to a machine. */
export const METADATA_HOSTS: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
])

/** The host of a URL in the notation of patterns. `null` for a path on the sandbox. */
export const parseHost = (address: string): string | null =>
  URL.canParse(address) ? hostOf(new URL(address)) : null

/** The host of a URL in the notation of patterns. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Domains that nobody can register. They are used inside networks. */
const PRIVATE_TOP_LEVEL_DOMAINS = new Set([
  'example',
  'internal',
  'invalid',
  'lan',
  'local',
  'localhost',
  'test',
])

/** Second-level domains that a country registers domains in, as in `co.uk`. */
const COUNTRY_PUBLIC_SUFFIX = /^(ac|co|com|edu|gov|govt|gv|ltd|me|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/

/** Warns about patterns that include hosts of unrelated owners, because few users want that. */
export const broadPatternWarnings = (patterns: readonly string[]): readonly string[] =>
  patterns.flatMap((pattern) => {
    const domain = pattern.startsWith('*.') ? pattern.slice(2) : ''
    const isShared =
      (!domain.includes('.') && !PRIVATE_TOP_LEVEL_DOMAINS.has(domain)) || COUNTRY_PUBLIC_SUFFIX.test(domain)
    return domain !== '' && isShared
      ? [
          `${pattern} allows every host below .${domain}, including those of strangers. Use a domain of your own.`,
        ]
      : []
  })
