/** Whether a database is on a server, and not a file. */
export const isDatabaseUrl = (name: string): boolean => /^postgres(ql)?:\/\//i.test(name)

/** Whether a database is a file of its own, and not in memory or on a server. */
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

/** Whether a `/` or `#` of the password is not encoded. Then the parts of the URL other than `password` contain it. */
export const isCutPassword = ({ pathname, hash }: URL): boolean => pathname.includes('@') || hash !== ''
