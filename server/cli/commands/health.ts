import { fetchPinnedTo } from '../../client/pinned-fetch.ts'
import { explainTlsError } from '../../tls/explain-tls-error.ts'
import { addressOf } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { readArguments } from '../read-arguments.ts'

const TIMEOUT_MS = 5_000

/** Prints whether a sandbox is ready to serve. */
export async function health(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags } = readArguments('health', args)
  const { url, certificate } = await addressOf({ ...flags, 'admin-token': undefined }, io)

  const reason = await whyNotReady(url, certificate)
  print(io, flags.json, { url, ready: reason === null, reason }, () =>
    reason === null
      ? `The sandbox at ${url} is ready`
      : `The sandbox at ${url} is not ready:${inLines(reason)}`,
  )
  return reason === null ? 0 : 1
}

/** Puts each of several sentences on its own line. */
const inLines = (reason: string): string =>
  reason.includes('. ') ? `\n  ${reason.replaceAll('. ', '.\n  ')}` : ` ${reason}`

/** Why the sandbox is not ready, `null` if it is. */
async function whyNotReady(url: string, certificate: string | undefined): Promise<string | null> {
  try {
    const fetch = certificate === undefined ? globalThis.fetch : await fetchPinnedTo(certificate)
    const response = await fetch(`${url}/_sandbox/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null
    if (answer?.status === 'ready') return null
    if (answer?.status === 'starting') return 'it is starting'
    const reason = answer?.reason ?? answer?.detail
    return typeof reason === 'string' ? reason : 'the server is not a sandbox'
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return `no answer within ${TIMEOUT_MS / 1000} s`
    }
    const tlsProblem = await explainTlsError(url, error)
    if (tlsProblem !== undefined) return tlsProblem
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}
