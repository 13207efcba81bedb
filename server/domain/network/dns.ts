/** One address that a host stands for. */
export interface HostAddress {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/** Gives every address of a host name. None, or a failure, where it is unknown. */
export type DnsLookup = (host: string) => Promise<readonly HostAddress[]>
