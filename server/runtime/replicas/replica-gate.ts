import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Gate } from '../../platform/http/gate.ts'
import type { Trouble } from '../../platform/system/file-trouble.ts'
import { unusableMessage } from '../../store/database-error.ts'
import { createCurrentRole, troubleOf, type Role } from './current-role.ts'
import { forwardRequest, forwardUpgrade } from './forward.ts'
import { MARK, removeMark } from './forwarded-mark.ts'
import { createLeaderConnection } from './forward-to-leader.ts'
import { createOpenRequests } from './open-requests.ts'

/** Larger bodies are not kept in memory. If the leader changes during such a request, the client must send it again. */
const MAX_KEPT_BODY_BYTES = 1024 * 1024

/** How long a former leader has to answer requests that were forwarded to it. */
const FORMER_LEADER_MS = 2_000

/** Requests that are not forwarded, because each replica has its own metrics. */
const METRICS = /^\/_sandbox\/metrics(?:\?|$)/

const HEALTH_CHECK = /^\/_sandbox\/(health|ready)(?:\?|$)/

interface GateOptions {
  /** The certificate of all replicas, as PEM. */
  readonly certificate: string | undefined
  /** The response to a health check if this process does not lead. */
  readonly describe: (check: 'health' | 'ready') => { readonly status: number; readonly body: object }
  /** Called if a request has found a problem with the database. */
  readonly onTrouble: (trouble: Trouble) => void
}

/** Passes requests to the app while this process leads. Otherwise forwards them to the leader. */
export function createReplicaGate({ certificate, describe, onTrouble }: GateOptions) {
  const leader = createLeaderConnection(certificate)
  const role = createCurrentRole()
  const open = createOpenRequests()
  /** Functions that end the forwarded requests and WebSockets of the current leader. */
  let requests = new Set<() => void>()
  let webSockets = new Set<() => void>()
  const upgrading = new Set<Duplex>()

  /** A former leader closes its connections itself, unless it is frozen. Until then, it may still answer requests. */
  function endForwarded(): void {
    const former = requests
    for (const end of webSockets) end()
    requests = new Set()
    webSockets = new Set()
    setTimeout(() => former.forEach((end) => end()), FORMER_LEADER_MS).unref()
  }

  async function decideRequest(
    request: IncomingMessage,
    response: ServerResponse,
    isForwarded: boolean,
    handle: () => void,
  ): Promise<void> {
    const check = HEALTH_CHECK.exec(request.url ?? '')?.[1] as 'health' | 'ready' | undefined
    if (check && !isForwarded) {
      reportTrouble()
      const { status, body } = describe(check)
      return answerJson(response, status, body, {})
    }
    if (await role.isLeading()) return handle()
    if (isForwarded) return answerUnavailable(response, { [MARK]: 'not-leading' })
    if (METRICS.test(request.url ?? '')) return handle()
    // The database does not respond, so it is unknown whether this process leads.
    if (role.current().name === 'leader') return refuse(response)
    const body = await readSmallBody(request)
    let attempts = 0
    const isAccepted = await role.keepTrying(async (url) => {
      attempts++
      if (attempts > 1 && body === undefined) return false
      return forwardRequest(leader, url, request, body, response, requests)
    })
    if (!isAccepted && !response.headersSent) refuse(response)
    return undefined
  }

  function reportTrouble(): Trouble | undefined {
    const trouble = troubleOf(role.current())
    if (trouble) onTrouble(trouble)
    return trouble
  }

  function refuse(response: ServerResponse): void {
    const trouble = reportTrouble()
    const detail = trouble ? `${unusableMessage(trouble)} Nothing was done.` : unreachable(role.current())
    answerUnavailable(response, {}, detail)
  }

  async function decideUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    isForwarded: boolean,
    handle: () => void,
  ): Promise<void> {
    if (await role.isLeading()) return handle()
    const isAccepted =
      !isForwarded &&
      role.current().name !== 'leader' &&
      (await role.keepTrying((url) => forwardUpgrade(leader, url, request, socket, head, webSockets)))
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
      open.add(response, HEALTH_CHECK.test(request.url ?? ''))
      const handleHere = (): void => {
        open.markHandledHere(response)
        handle()
      }
      if (role.isCertain()) return handleHere()
      decideRequest(request, response, isForwarded, handleHere).catch(() => response.destroy())
      return undefined
    },
    onUpgrade(request, socket, head, handle) {
      const isForwarded = removeMark(request)
      if (role.isCertain()) return handle()
      socket.on('error', () => socket.destroy())
      upgrading.add(socket)
      socket.once('close', () => upgrading.delete(socket))
      decideUpgrade(request, socket, head, isForwarded, handle).catch(() => socket.destroy())
      return undefined
    },
  }

  return {
    gate,
    setRole(next: Role): void {
      if (role.change(next)) endForwarded()
    },
    role: role.current,
    drain: open.drain,
    untilQuiet: open.untilQuiet,
    abort: open.abort,
    close(): void {
      for (const end of [...requests, ...webSockets]) end()
      for (const socket of upgrading) socket.destroy()
      leader.close()
    },
  }
}

/** Why a request could not be forwarded, although there is a leader. */
const unreachable = (role: Role): string | undefined =>
  role.name === 'follower'
    ? `This replica cannot reach the leader at ${role.url}. Nothing was done. Start the leader with a --replica-url where the replicas can reach it.`
    : undefined

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
  headers: Readonly<Record<string, string>>,
  detail = 'No replica of this sandbox leads at the moment. Nothing was done. Send the request again.',
): void {
  const problem = { title: 'Service Unavailable', status: 503, detail }
  answerJson(response, 503, problem, {
    ...headers,
    'content-type': 'application/problem+json',
    'retry-after': '1',
    // Closes the connection, because the rest of the request may be unread.
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
