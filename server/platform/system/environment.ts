import { tidy } from '../../domain/text/tidy.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Matches the value that Kubernetes and Docker set in `PAYLINK_PORT` for a service named `paylink`. */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\/\S+:\d+$/i

/**
 * The value of a `PAYLINK_…` variable, without the quotes and line ends that a `.env` file may leave. An empty variable counts as
 * not set. So does a `PAYLINK_PORT` that was set by Kubernetes or Docker.
 */
export function variableIn(env: Environment, name: string): string | undefined {
  const value = unquoted(env[name] ?? '')
  if (value === '' || (name.endsWith('_PORT') && SERVICE_LINK.test(value))) return undefined
  return value
}

/** A value without the quotes around it. In a list like `"a","b"`, each entry has its own quotes. */
export function unquoted(value: string): string {
  const text = tidy(value)
  const [, quote = '', content = ''] = /^(["'])(.*)\1$/s.exec(text) ?? []
  return quote === '' || new RegExp(`${quote}\\s*,\\s*${quote}`).test(content) ? text : tidy(content)
}
