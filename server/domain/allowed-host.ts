const HOST_PATTERN = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

/** Whether text is a host name, or `*.` and a domain for every name below it, in lower case. */
export const isHostPattern = (text: string): boolean => text.length <= 255 && HOST_PATTERN.test(text)

/** A pattern is a host name, or `*.` and a domain for every name below it. */
export const matchesHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** What clouds call the place where they tell a machine its secrets. */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
])

/** The host of an address, as patterns are compared with it. `null` for a path on the sandbox itself. */
export const hostOf = (address: string): string | null =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null
