/** Whether a database is on a server. */
export const isDatabaseUrl = (name: string): boolean => /^postgres(ql)?:\/\//i.test(name)

/** Whether a database is a file, and not in memory or on a server. */
export const isDatabaseFile = (name: string): boolean => name !== ':memory:' && !isDatabaseUrl(name)

/**
 * PostgreSQL's own programs accept an address without a host, for a socket. Such an address is not a valid URL, so a host is
 * added.
 */
export const addHost = (name: string): string =>
  name.replace(/^(postgres(?:ql)?:\/\/[^/@?]*@)(?=\/)/i, '$1localhost')

/** The name of a database for output. A URL appears without its password. */
export function printableDatabase(name: string): string {
  if (!isDatabaseUrl(name)) return name
  const address = addHost(name)
  if (!URL.canParse(address)) return 'on PostgreSQL'
  const url = new URL(address)
  if (isCutPassword(url)) return 'on PostgreSQL'
  url.password = ''
  const schema = url.searchParams.get('schema')
  url.search = schema === null ? '' : `?schema=${schema}`
  return url.href
}

/**
 * Whether the password contains an unencoded `/` or `#`. A URL parser ends the password there, and treats the rest as a path or
 * fragment.
 */
export const isCutPassword = ({ pathname, hash }: URL): boolean => pathname.includes('@') || hash !== ''
