/** Whether a database is on a server, and not a file. */
export const isDatabaseUrl = (name: string): boolean => /^postgres(ql)?:\/\//i.test(name)

/** Whether a database is a file, and not in memory or on a server. */
export const isDatabaseFile = (name: string): boolean => name !== ':memory:' && !isDatabaseUrl(name)

/** The name of a database as it may be printed: without the password of a URL. */
export function printableDatabase(name: string): string {
  if (!isDatabaseUrl(name)) return name
  if (!URL.canParse(name)) return 'on PostgreSQL'
  const url = new URL(name)
  if (isCutPassword(url)) return 'on PostgreSQL'
  url.password = ''
  const schema = url.searchParams.get('schema')
  url.search = schema === null ? '' : `?schema=${schema}`
  return url.href
}

/** Whether the password has a `/` or `#` that is not encoded. It ends there, and the rest is in other parts of the URL. */
export const isCutPassword = ({ pathname, hash }: URL): boolean => pathname.includes('@') || hash !== ''
