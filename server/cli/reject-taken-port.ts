import { once } from 'node:events'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { createServer } from 'node:net'
import { json } from 'node:stream/consumers'
import type { StartOptions } from '../runtime/config/read-options.ts'
import { reachableHost } from '../domain/network/loopback.ts'
import { UsageError } from '../domain/text/usage-error.ts'

const TIMEOUT_MS = 1_000

/**
 * Throws a `UsageError` if a sandbox already listens on the port. `start` calls this before it opens the database. Otherwise, a
 * second start in the same folder would complain only about the database. Other problems with the port are reported by the server
 * itself.
 */
export async function rejectTakenPort({ host, port, nameOption }: StartOptions): Promise<void> {
  if (port === 0 || (await canListen(host, port))) return
  const address = `${reachableHost(host)}:${port}`
  for (const url of [`http://${address}`, `https://${address}`]) {
    if (!(await isSandbox(url))) continue
    throw new UsageError(
      `A sandbox is already running at ${url}. Use it, or stop it with Ctrl-C, or with \`npx paylink-sandbox stop\` if it runs in the background. To start a second one, set ${nameOption('port')} to another port (0 picks a free one) and ${nameOption('db')} to another file or :memory:.`,
    )
  }
}

async function canListen(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
}

/** Whether a sandbox responds at this URL. Its certificate is not checked, because nothing secret is sent. */
async function isSandbox(url: string): Promise<boolean> {
  const path = `${url}/_sandbox/health`
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), agent: false } as const
  const request = url.startsWith('https')
    ? getHttps(path, { ...options, rejectUnauthorized: false })
    : getHttp(path, options)
  // An error after the response does not matter.
  request.on('error', () => {})
  try {
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream]
    const health = (await json(response)) as { status?: unknown; version?: unknown } | null
    return health?.status === 'ok' && typeof health.version === 'string'
  } catch {
    return false
  } finally {
    request.destroy()
  }
}
