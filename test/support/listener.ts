import type { Sandbox } from '../../server/index.ts'
import { connectSandbox } from '../../server/index.ts'

/** A listener at a tunnel of a sandbox, as tests of others have one. */
export async function listenAt(
  url: string,
  options: Parameters<Sandbox['tunnels']['listen']>[0],
  adminToken?: string,
) {
  const sandbox = await connectSandbox(url, { adminToken })
  return sandbox.tunnels.listen(options)
}
