import { tidy } from '../../domain/text/tidy.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What Kubernetes and Docker set for a service named `paylink`, as `PAYLINK_PORT`. */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\/\S+:\d+$/i

/**
 * The value of a `PAYLINK_…` variable. Files of variables may leave quotes and line ends in values, so it is without these.
 * An empty variable counts as not set, and so does a port that is the link to a service.
 */
export function variableIn(env: Environment, name: string): string | undefined {
  const text = tidy(env[name] ?? '')
  const value = tidy(/^(["'])(.*)\1$/s.exec(text)?.[2] ?? text)
  if (value === '' || (name.endsWith('_PORT') && SERVICE_LINK.test(value))) return undefined
  return value
}
