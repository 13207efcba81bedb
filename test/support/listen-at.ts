import type { Sandbox } from '../../server/package/index.ts'
import { connectSandbox } from '../../server/package/index.ts'

/** Connects a listener to a tunnel through the handle. */
export async function listenAt(
  url: string,
  options: Parameters<Sandbox['tunnels']['listen']>[0],
  adminToken?: string,
) {
  const sandbox = await connectSandbox(url, { adminToken })
  return sandbox.tunnels.listen(options)
}
