import ipaddr from 'ipaddr.js'

/** Whose an address is: this machine's or a private network's, somebody else's, or one that nothing is ever sent to. */
export type AddressScope = 'local' | 'elsewhere' | 'never'

/**
 * Tells whose an address is. One that has an IPv4 address inside is that one's, as a translator on the way may
 * make it that. Where it can be read in several ways, the least harmless one counts.
 */
export function scopeOf(address: string): AddressScope {
  if (!ipaddr.isValid(address)) return 'never'
  const ip = ipaddr.parse(address)
  const readings = ip.kind() === 'ipv4' ? [scopeOfIpv4(ip as IPv4)] : readingsOf(ip as IPv6)
  return strictest(readings)
}

/** Of several addresses, or readings of one, the least harmless counts. */
export const strictest = (readings: readonly AddressScope[]): AddressScope =>
  readings.includes('never') ? 'never' : readings.includes('elsewhere') ? 'elsewhere' : 'local'

type IPv4 = ipaddr.IPv4
type IPv6 = ipaddr.IPv6

/** Where clouds tell a machine its secrets, beyond what is link-local. */
const METADATA_ADDRESSES = new Set([
  '169.254.169.254',
  // Alibaba, Oracle and Azure.
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
    // What blocks names answers with the unspecified address, which is this machine to the kernel.
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
  const ipv4At = (...places: readonly number[]): IPv4 => new ipaddr.IPv4(places.map((place) => bytes[place]!))
  const last = ipv4At(12, 13, 14, 15)
  // A private network may have a translator of its own, at any prefix.
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
      // IPv4-compatible addresses have a range of their own with nobody.
      return ip.match(COMPATIBLE) ? [scopeOfIpv4(last)] : [...isatap(ip, last), 'elsewhere']
  }
}

const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

/** A tunnel inside a site: `…:5efe:` and an IPv4 address, behind any prefix. */
const isatap = ({ parts }: IPv6, last: IPv4): AddressScope[] =>
  parts[5] === 0x5efe && (parts[4]! & 0xfdff) === 0 ? [scopeOfIpv4(last)] : []

const inverted = (octet: number): number => octet ^ 0xff
