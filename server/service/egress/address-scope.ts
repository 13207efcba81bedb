import ipaddr from 'ipaddr.js'

/** `local` for this machine and private networks, `never` if no webhook may be sent to the address, `elsewhere` for all others. */
export type AddressScope = 'local' | 'elsewhere' | 'never'

/**
 * An IPv6 address with an embedded IPv4 address (NAT64, 6to4) has the scope of that IPv4 address. If an address can be read in
 * several ways, the strictest scope applies.
 */
export function scopeOf(address: string): AddressScope {
  const cached = scopes.get(address)
  if (cached !== undefined) return cached
  if (scopes.size >= MAX_SCOPES) scopes.clear()
  const scope = findScope(address)
  scopes.set(address, scope)
  return scope
}

/** Cached, because the scope of an address never changes, and parsing an address is slow. */
const scopes = new Map<string, AddressScope>()
const MAX_SCOPES = 1_000

function findScope(address: string): AddressScope {
  if (!ipaddr.isValid(address)) return 'never'
  const ip = ipaddr.parse(address)
  const readings = ip.kind() === 'ipv4' ? [scopeOfIpv4(ip as IPv4)] : readingsOf(ip as IPv6)
  return strictest(readings)
}

/** The strictest scope among several addresses, or among the possible readings of one address. */
export const strictest = (readings: readonly AddressScope[]): AddressScope =>
  readings.includes('never') ? 'never' : readings.includes('elsewhere') ? 'elsewhere' : 'local'

type IPv4 = ipaddr.IPv4
type IPv6 = ipaddr.IPv6

/**
 * Addresses of metadata services, which give credentials to machines in a cloud. Nothing is sent to them, or to any other
 * link-local address.
 */
const METADATA_ADDRESSES = new Set([
  '169.254.169.254',
  // Metadata services of Alibaba, Oracle and Azure.
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
])
const METADATA_NETWORKS = ['fd00:ec2::/32', 'fd20:ce::254/128'].map((network) =>
  ipaddr.IPv6.parseCIDR(network),
)

function scopeOfIpv4(ip: IPv4): AddressScope {
  if (METADATA_ADDRESSES.has(ip.toString())) return 'never'
  switch (ip.range()) {
    case 'loopback':
    case 'private':
      return 'local'
    // Some DNS filters answer with the unspecified address (0.0.0.0), which the kernel connects to this machine.
    case 'unspecified':
    case 'linkLocal':
    case 'multicast':
    case 'broadcast':
      return 'never'
    default:
      return 'elsewhere'
  }
}

function readingsOf(ip: IPv6): AddressScope[] {
  const bytes = ip.toByteArray()
  const ipv4At = (...positions: readonly number[]): IPv4 =>
    new ipaddr.IPv4(positions.map((position) => bytes[position]!))
  const last = ipv4At(12, 13, 14, 15)
  // A private network may translate IPv6 to IPv4 with any prefix, so the last four bytes may be a metadata address.
  if (METADATA_ADDRESSES.has(last.toString()) || METADATA_NETWORKS.some((network) => ip.match(network)))
    return ['never']

  if (ip.match(LOCAL_NAT64)) {
    const embedded = [last, ipv4At(6, 7, 9, 10), ipv4At(7, 9, 10, 11), ipv4At(9, 10, 11, 12)]
    const readings = embedded.filter(({ octets }) => octets[0] !== 0).map(scopeOfIpv4)
    return readings.length === 0 ? ['never'] : readings
  }
  switch (ip.range()) {
    case 'loopback':
      return ['local']
    case 'uniqueLocal':
      return [...isatap(ip, last), 'local']
    case 'unspecified':
    case 'linkLocal':
    case 'multicast':
      return ['never']
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return [scopeOfIpv4(last)]
    case '6to4':
      return [scopeOfIpv4(ipv4At(2, 3, 4, 5))]
    case 'teredo':
      return [scopeOfIpv4(ipv4At(4, 5, 6, 7)), scopeOfIpv4(new ipaddr.IPv4(last.octets.map(inverted)))]
    default:
      // `ipaddr.js` does not know the range of IPv4-compatible addresses.
      return ip.match(COMPATIBLE) ? [scopeOfIpv4(last)] : [...isatap(ip, last), 'elsewhere']
  }
}

const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

/** ISATAP, a tunnel within a site: any prefix, then `5efe`, then an IPv4 address. */
const isatap = ({ parts }: IPv6, last: IPv4): AddressScope[] =>
  parts[5] === 0x5efe && (parts[4]! & 0xfdff) === 0 ? [scopeOfIpv4(last)] : []

const inverted = (octet: number): number => octet ^ 0xff
