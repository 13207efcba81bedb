import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Payments } from '../../client/payments.ts'
import type { EventView } from '../../contract/views.ts'
import type { StreamMessage } from '../../contract/schemas/stream.ts'
import { epochStarts } from '../../domain/events/event.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { proxyAgentFor } from '../../platform/http/agent.ts'
import { pinnedTlsOptions } from '../../platform/tls/pinned-tls-options.ts'
import type { Address } from '../connect.ts'
import { createInterruption } from '../interruption.ts'
import { printMessage, type CommandIo } from '../io.ts'

/** Identifies the last event that was printed, by its `seq` and the epoch of its journal. */
interface JournalPosition {
  readonly epoch: string
  readonly after: number
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** Four times the interval at which the stream sends `alive`. */
const SILENCE_MS = 60_000

/**
 * Prints every event after a position once, in sequence, until Ctrl-C. Reconnects after the sandbox restarts. If a new journal
 * has begun, prints it from its beginning.
 */
export async function followEvents(
  address: Address,
  from: JournalPosition,
  payments: Payments,
  io: CommandIo,
  show: (event: EventView) => void,
): Promise<void> {
  using interruption = createInterruption(io, ['SIGINT', 'SIGTERM'])
  const { signal } = interruption

  let position = from
  let isLost = false
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted;) {
    const result = await listen(address, position, signal, {
      back() {
        if (isLost) printMessage(io, `The sandbox at ${address.url} is back.`)
        isLost = false
        pauseMs = FIRST_PAUSE_MS
      },
      show,
    })
    position = result.position
    if (result.began !== null) {
      const after = await startOfJournal(payments).catch(() => null)
      if (after !== null) {
        position = { epoch: result.began, after }
        printMessage(io, 'A new journal has begun.')
        continue
      }
    }
    if (signal.aborted) break
    if (!isLost) printMessage(io, `The sandbox at ${address.url} is gone. Waiting for it to come back.`)
    isLost = true
    await pause(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

/**
 * Follows the stream until the connection ends. Returns the last position, and the epoch of the new journal if one has begun.
 */
async function listen(
  { url, adminToken, certificate }: Address,
  from: JournalPosition,
  signal: AbortSignal,
  told: { back(): void; show(event: EventView): void },
): Promise<{ readonly position: JournalPosition; readonly began: string | null }> {
  const query = new URLSearchParams({ after: String(from.after), epoch: from.epoch })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream?${query}`, {
    ...(adminToken !== undefined && { headers: { authorization: `Bearer ${adminToken}` } }),
    ...pinnedTlsOptions(certificate),
    agent: await proxyAgentFor(url),
  })
  const leave = (): void => socket.terminate()
  const silence = setTimeout(leave, SILENCE_MS)
  signal.addEventListener('abort', leave)

  let { after } = from
  let began: string | null = null
  let isRefused = false
  // After an error, `close` is emitted, which is handled below.
  socket.on('error', () => {})
  socket.on('unexpected-response', (_request, { statusCode }) => {
    isRefused = statusCode === 401 || statusCode === 403
    leave()
  })
  socket.on('message', (data) => {
    silence.refresh()
    // A new journal has begun, so events that still arrive belong to the old one.
    if (began !== null) return
    const message = JSON.parse(String(data)) as StreamMessage
    if (message.type === 'hello' && message.epoch !== from.epoch) {
      began = message.epoch
      leave()
    }
    if (message.type === 'hello') told.back()
    if (message.type !== 'events') return
    for (const event of message.events) {
      after = event.seq
      told.show(event)
    }
  })
  await new Promise((resolve) => socket.once('close', resolve))
  clearTimeout(silence)
  signal.removeEventListener('abort', leave)
  if (isRefused) {
    throw new UsageError(`The sandbox at ${url} no longer accepts this connection. Pass its --admin-token.`)
  }
  return { position: { ...from, after }, began }
}

/** The `seq` before the first event of a journal. The first event is a reset or a restore. */
async function startOfJournal(payments: Payments): Promise<number> {
  const [first] = await payments.events({ type: [...epochStarts], limit: 1 })
  return first === undefined ? 0 : first.seq - 1
}
