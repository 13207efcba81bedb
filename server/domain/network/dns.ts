/** One IP address of a host. */
export interface HostAddress {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/** Resolves a host name to all its IP addresses. For an unknown name, returns an empty list or fails. */
export type DnsLookup = (host: string) => Promise<readonly HostAddress[]>
