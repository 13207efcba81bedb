const HOST_PATTERN = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

/** Whether text is a host name, or `*.` and a domain for every name below it, in lower case. */
export const isHostPattern = (text: string): boolean => text.length <= 255 && HOST_PATTERN.test(text)

/** A pattern is a host name, or `*.` and a domain for every name below it. */
export const matchesHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** The host of an address, as patterns are compared with it. `null` for a path on the sandbox itself. */
export const hostOf = (address: string): string | null =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null
