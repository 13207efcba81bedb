import { proxyHint } from '../../client/request.ts'
import { sandboxFetch } from '../../client/sandbox-fetch.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { explainTlsError } from '../../platform/tls/explain-tls-error.ts'
import { command } from '../command.ts'
import { jsonFlag, sandboxFlag } from '../shared-flags.ts'
import { findAddress } from '../connect.ts'
import { print } from '../io.ts'

const TIMEOUT_MS = 5_000

export const health = command({
  text: 'check whether a sandbox is ready, and exit with 1 if it is not',
  flags: { sandbox: sandboxFlag, json: jsonFlag },
  examples: ['health', 'health --sandbox https://pay.dev.example --json'],
  async run({ flags }, io) {
    const { url, certificate } = await findAddress({ ...flags, 'admin-token': undefined }, io)

    const { reason, version, database, replica, lagMs, freeBytes } = await checkReady(url, certificate)
    const facts = { version, database, replica, lagMs, freeBytes }
    const entries = Object.entries(facts).map(([name, value]) => [name, value ?? null])
    print(io, flags.json, { url, ready: reason === null, reason, ...Object.fromEntries(entries) }, () =>
      reason === null
        ? `The sandbox at ${url} is ready (${describe(facts).join(', ')})${describeSkew(replica)}`
        : `The sandbox at ${url} is not ready: ${reason}`,
    )
    return reason === null ? 0 : 1
  },
})

const describe = ({ database, replica, lagMs, freeBytes }: Facts): string[] =>
  [
    database,
    replica && (replica.role === 'follower' ? `follows ${replica.leader}` : 'leads'),
    lagMs !== undefined && `reads take ${lagMs} ms`,
    freeBytes !== undefined && `${(freeBytes / 1024 ** 3).toFixed(1)} GiB of disk free`,
  ].filter((text) => typeof text === 'string')

const describeSkew = (replica: Replica | undefined): string =>
  replica?.versions === undefined || replica.versions.length < 2
    ? ''
    : `\nIts replicas run the versions ${replica.versions.join(' and ')}. Restart those of the older version.`

interface Replica {
  readonly role: string
  readonly leader: string | null
  readonly versions?: readonly string[]
}

interface Facts {
  readonly version?: string | undefined
  /** The name and version of the database engine. */
  readonly database?: string | undefined
  /** The role of this process among the processes that share the database. */
  readonly replica?: Replica | undefined
  readonly lagMs?: number | undefined
  readonly freeBytes?: number | undefined
}

interface Readiness extends Facts {
  /** Why the sandbox is not ready. `null` if it is ready. */
  readonly reason: string | null
}

const failed = (reason: string): Readiness => ({ reason })

async function failedWith(url: string, reason: string, advice?: string): Promise<Readiness> {
  const hint = (await proxyHint(url)) ?? advice
  return failed(hint === undefined ? reason : `${reason}. ${hint}`)
}

async function checkReady(url: string, certificate: string | undefined): Promise<Readiness> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const fetch = await sandboxFetch(url, certificate)
    const response = await fetch(`${url}/_sandbox/ready`, { signal })
    const answer = (await response.json().catch(() => null)) as Readonly<
      Record<'status' | 'reason' | 'detail', unknown> & Facts
    > | null
    if (answer?.status === 'ready') return { ...answer, reason: null }
    if (answer?.status === 'starting') return { ...answer, reason: 'it is starting' }
    const reason = answer?.reason ?? answer?.detail
    if (typeof reason === 'string') return { ...answer, reason }
    return await failedWith(url, 'the server is not a sandbox')
  } catch (error) {
    if (signal.aborted) {
      return failed(`no answer within ${TIMEOUT_MS / 1000} s`)
    }
    const tlsProblem = await explainTlsError(url, error)
    if (tlsProblem !== undefined) return failed(tlsProblem)
    return failedWith(url, reasonOf(error), 'Start one there, or pass another address with --sandbox.')
  }
}
