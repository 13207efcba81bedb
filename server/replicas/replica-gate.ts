import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Gate } from '../http/gate.ts'
import { forwardRequest, forwardUpgrade } from './forward.ts'
import { MARK, removeMark } from './forwarded-mark.ts'
import { createLeaderConnection } from './leader-connection.ts'

/** What this process does at the moment. */
export type Role =
  /** The app handles requests, as long as `confirm` resolves. */
  | {
      readonly name: 'leader'
      readonly url: string
      isCertain(): boolean
      confirm(): Promise<void>
    }
  /** Another process handles them. */
  | { readonly name: 'follower'; readonly url: string }
  /** No process is known to handle them. */
  | { readonly name: 'none' }
  | { readonly name: 'stopping' }

/** How long a request waits for a leader. */
export const LEADER_TIMEOUT_MS = 10_000
const RETRY_MS = 100

/** Longer bodies are not kept. If the leader changes meanwhile, the client has to send them again. */
const MAX_KEPT_BODY_BYTES = 1024 * 1024

/** How long a previous leader may take to answer what was forwarded to it. */
const FORMER_LEADER_MS = 2_000

const HEALTH_CHECK = /^\/_sandbox\/(health|ready)(?:\?|$)/

interface GateOptions {
  /** The certificate of all replicas, as PEM. */
  readonly certificate: string | undefined
  /** The answer to a health check while this process does not lead. */
  readonly describe: (check: 'health' | 'ready') => { readonly status: number; readonly body: object }
}

/** Lets the app handle requests while this process leads, and forwards them to the leader otherwise. */
export function createReplicaGate({ certificate, describe }: GateOptions) {
  const leader = createLeaderConnection(certificate)
  let role: Role = { name: 'none' }
  const waiting = new Set<() => void>()
  /** Ends forwarded requests and WebSockets of the current leader. */
  let requests = new Set<() => void>()
  let webSockets = new Set<() => void>()
  const unfinished = new Set<ServerResponse>()
  const handledHere = new WeakSet<ServerResponse>()
  const upgrading = new Set<Duplex>()
  let lastRequestAt = -Infinity

  function setRole(next: Role): void {
    const isSameLeader = 'url' in role && 'url' in next && role.url === next.url
    role = next
    if (!isSameLeader) endForwarded()
    for (const wake of waiting) wake()
  }

  /** A former leader closes its connections by itself, unless it is frozen. Requests may still be answered. */
  function endForwarded(): void {
    const former = requests
    for (const end of webSockets) end()
    requests = new Set()
    webSockets = new Set()
    setTimeout(() => former.forEach((end) => end()), FORMER_LEADER_MS).unref()
  }

  /** Where requests are handled. Waits for a leader for some time. */
  async function leaderUrl(deadline: number): Promise<string | undefined> {
    while (role.name === 'none') {
      const left = deadline - performance.now()
      if (left <= 0) return undefined
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, left)
        waiting.add(wake)
      })
    }
    return role.name === 'stopping' ? undefined : role.url
  }

  /** Whether this process leads. Asks the database if that is not certain. */
  async function isLeading(): Promise<boolean> {
    const asked = role
    if (asked.name !== 'leader') return false
    // If another process leads, the role changes soon afterwards.
    await asked.confirm().catch(() => new Promise((resolve) => void setImmediate(resolve)))
    return role === asked && asked.isCertain()
  }

  /** Tries to forward until the leader has accepted a request. Resolves with `false` if none does. */
  async function keepTrying(attempt: (url: string) => Promise<boolean>): Promise<boolean> {
    const deadline = performance.now() + LEADER_TIMEOUT_MS
    for (;;) {
      const url = await leaderUrl(deadline)
      if (url === undefined) return false
      if (await attempt(url)) return true
      if (performance.now() > deadline) return false
      await pause(RETRY_MS)
    }
  }

  const unreachable = (): string | undefined =>
    role.name === 'follower'
      ? `This replica cannot reach the one that leads, at ${role.url}. Nothing was done. Start that one with a --replica-url at which it can be reached.`
      : undefined

  async function decideRequest(
    request: IncomingMessage,
    response: ServerResponse,
    isForwarded: boolean,
    handle: () => void,
  ): Promise<void> {
    const check = HEALTH_CHECK.exec(request.url ?? '')?.[1] as 'health' | 'ready' | undefined
    if (check && !isForwarded) {
      const { status, body } = describe(check)
      return answerJson(response, status, body, {})
    }
    if (await isLeading()) return handle()
    if (isForwarded) return answerUnavailable(response, { [MARK]: 'not-leading' })
    // The database does not answer.
    if (role.name === 'leader') return answerUnavailable(response)
    const body = await readSmallBody(request)
    let attempts = 0
    const isAccepted = await keepTrying(async (url) => {
      attempts++
      if (attempts > 1 && body === undefined) return false
      return forwardRequest(leader, url, request, body, response, requests)
    })
    if (!isAccepted && !response.headersSent) answerUnavailable(response, {}, unreachable())
    return undefined
  }

  async function decideUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    isForwarded: boolean,
    handle: () => void,
  ): Promise<void> {
    if (await isLeading()) return handle()
    const isAccepted =
      !isForwarded &&
      role.name !== 'leader' &&
      (await keepTrying((url) => forwardUpgrade(leader, url, request, socket, head, webSockets)))
    if (!isAccepted) {
      socket.end(
        `HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n${isForwarded ? `${MARK}: not-leading\r\n` : ''}Content-Length: 0\r\n\r\n`,
      )
    }
    return undefined
  }

  const gate: Gate = {
    onRequest(request, response, handle) {
      const isForwarded = removeMark(request)
      if (!HEALTH_CHECK.test(request.url ?? '')) lastRequestAt = performance.now()
      unfinished.add(response)
      response.once('close', () => unfinished.delete(response))
      const handleHere = (): void => {
        handledHere.add(response)
        handle()
      }
      if (role.name === 'leader' && role.isCertain()) return handleHere()
      decideRequest(request, response, isForwarded, handleHere).catch(() => response.destroy())
      return undefined
    },
    onUpgrade(request, socket, head, handle) {
      const isForwarded = removeMark(request)
      if (role.name === 'leader' && role.isCertain()) return handle()
      socket.on('error', () => socket.destroy())
      upgrading.add(socket)
      socket.once('close', () => upgrading.delete(socket))
      decideUpgrade(request, socket, head, isForwarded, handle).catch(() => socket.destroy())
      return undefined
    },
  }

  return {
    gate,
    setRole,
    role: (): Role => role,
    /** Resolves once all requests so far are answered, or after some time. */
    async drain(timeoutMs: number): Promise<void> {
      const late = pause(timeoutMs, undefined, { ref: false })
      const answered = [...unfinished].map(
        (response) => new Promise<void>((resolve) => void response.once('close', () => resolve())),
      )
      await Promise.race([Promise.all(answered), late])
    },
    /** Resolves once no request has arrived for `ms`, after `maxMs` at the latest. Health checks do not count. */
    async untilQuiet(ms: number, maxMs: number): Promise<void> {
      const beganAt = performance.now()
      for (;;) {
        const now = performance.now()
        const quietAt = Math.min(Math.max(lastRequestAt, beganAt) + ms, beganAt + maxMs)
        if (now >= quietAt) return
        await pause(quietAt - now)
      }
    },
    /** Closes the connections of requests that the app has not answered. */
    abort(): void {
      for (const response of unfinished) if (handledHere.has(response)) response.destroy()
    },
    close(): void {
      for (const end of [...requests, ...webSockets]) end()
      for (const socket of upgrading) socket.destroy()
      leader.close()
    },
  }
}

/** The body of a request, if it is short and its length is known. */
async function readSmallBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (encoding !== undefined || Number(length ?? 0) > MAX_KEPT_BODY_BYTES) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function answerUnavailable(
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
  detail = 'No replica of this sandbox leads at the moment. Nothing was done. Send the request again.',
): void {
  const problem = { title: 'Service Unavailable', status: 503, detail }
  answerJson(response, 503, problem, {
    ...headers,
    'content-type': 'application/problem+json',
    'retry-after': '1',
    // The rest of the request may not have been read.
    connection: 'close',
  })
}

function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(JSON.stringify(body))
}
