export const CONTROL_PATH = '/_sandbox/v1'

/**
 * What to do about an error: a route of the control API, and what it does. The command line and the MCP tools refer to their own
 * command or tool instead.
 */
export interface Remedy {
  /** Such as `POST /deliveries/:id/replay`. */
  readonly route: string
  readonly param?: Readonly<Record<string, string | number>>
  /** Continues a sentence that begins with the route: `sends it again`. */
  readonly effect: string
}

/** The remedy in the words of the control API: `POST /_sandbox/v1/deliveries/7/replay sends it again`. */
export function describeRemedy({ route, param = {}, effect }: Remedy): string {
  const [method, path = ''] = route.split(' ')
  return `${method} ${CONTROL_PATH}${path.replaceAll(/:(\w+)/g, (_, name) => String(param[name]))} ${effect}`
}
