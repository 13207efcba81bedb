/** One IP address of a host. */
export interface HostAddress {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/** Resolves all IP addresses of a host name. Returns an empty list or fails if the name is unknown. */
export type DnsLookup = (host: string) => Promise<readonly HostAddress[]>
