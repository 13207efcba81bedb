/** Whether a database is on a server, and not a file. */
export const isDatabaseUrl = (name: string): boolean => /^postgres(ql)?:\/\//i.test(name)

/** Whether a database is a file, and not in memory or on a server. */
export const isDatabaseFile = (name: string): boolean => name !== ':memory:' && !isDatabaseUrl(name)

/** For a socket, PostgreSQL's own programs accept an address without a host, which is not a valid URL. */
export const withHost = (name: string): string =>
  name.replace(/^(postgres(?:ql)?:\/\/[^/@?]*@)(?=\/)/i, '$1localhost')

/** The name of a database as it may be printed: without the password of a URL. */
export function printableDatabase(name: string): string {
  if (!isDatabaseUrl(name)) return name
  const address = withHost(name)
  if (!URL.canParse(address)) return 'on PostgreSQL'
  const url = new URL(address)
  if (isCutPassword(url)) return 'on PostgreSQL'
  url.password = ''
  const schema = url.searchParams.get('schema')
  url.search = schema === null ? '' : `?schema=${schema}`
  return url.href
}

/**
 * Whether the password contains an unencoded `/` or `#`. A URL ends the password there, and the rest becomes part of the path or
 * the fragment.
 */
export const isCutPassword = ({ pathname, hash }: URL): boolean => pathname.includes('@') || hash !== ''
