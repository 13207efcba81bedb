import { agentFor, pinnedAgentFor } from '../platform/http/agent.ts'
import type { Fetch } from '../domain/http/fetch.ts'
import { createFetch } from '../platform/http/fetch.ts'
import { pinnedTlsOptions } from '../platform/tls/pinned-tls-options.ts'

/** The agent for requests to a sandbox. If `certificate` is set, accepts no other certificate. */
const agentOf = (url: string, certificate: string | undefined) =>
  certificate === undefined ? agentFor(url) : pinnedAgentFor(url, pinnedTlsOptions(certificate))

/** The `fetch` for requests to a sandbox. */
export const sandboxFetch = async (url: string, certificate: string | undefined): Promise<Fetch> =>
  createFetch(await agentOf(url, certificate))
