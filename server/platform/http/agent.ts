import { Agent, globalAgent } from 'node:http'
import { Agent as TlsAgent, globalAgent as globalTlsAgent, type AgentOptions } from 'node:https'
import { isDirect, usedProxy } from './proxy.ts'

/** Shorter than the time that servers keep an idle connection open. */
const KEPT = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const

const directAgent = new Agent(KEPT)
const directTlsAgent = new TlsAgent(KEPT)

/**
 * The agent for requests to a server. Requests to this machine or a private network never use a proxy. Other requests use Node's
 * default agent. It uses the proxy from the environment variables if the user has turned that on.
 */
export async function agentFor(address: string): Promise<Agent | TlsAgent> {
  const url = new URL(address)
  const isTls = url.protocol === 'https:'
  if (await isDirect(url)) return isTls ? directTlsAgent : directAgent
  return isTls ? globalTlsAgent : globalAgent
}

/** The agent for a WebSocket. `undefined` if the WebSocket needs no proxy. */
export const proxyAgentFor = async (address: string): Promise<Agent | TlsAgent | undefined> =>
  (await usedProxy(new URL(address))) && agentFor(address)

/** An agent that accepts only the certificate in `options`. */
export async function pinnedAgentFor(address: string, options: AgentOptions): Promise<TlsAgent> {
  const proxy = await usedProxy(new URL(address))
  return new TlsAgent({
    ...KEPT,
    ...options,
    rejectUnauthorized: true,
    ...(proxy && { proxyEnv: process.env }),
    // Without cached sessions, because the certificate is not sent again when a TLS session is resumed.
    maxCachedSessions: 0,
  })
}
