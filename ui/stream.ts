import { signal, type ReadonlySignal } from '@preact/signals'
import type { ShownEvent } from '../server/control/present.ts'
import type { StreamMessage } from '../server/control/stream.ts'
import { createBatch } from './batch.ts'
import type { Log } from './log.ts'
import { healthUrl, streamUrl } from './urls.ts'

export type Connection = 'connecting' | 'live' | 'lost'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
const SILENCE_MS = 30_000

/** Follows the sandbox's journal into the log, and after a lost connection goes on where it was. */
export function followStream(log: Log): ReadonlySignal<Connection> {
  const connection = signal<Connection>('connecting')
  const batch = createBatch<ShownEvent>((events) => log.append(events))
  let socket: WebSocket | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = FIRST_WAIT_MS
  let heardAt = 0

  function connect(): void {
    clearTimeout(retry)
    batch.flush()
    const { last, epoch } = log.journal.peek()
    const opened = new WebSocket(streamUrl(last, epoch))
    socket = opened
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (opened === socket) receive(JSON.parse(data) as StreamMessage)
    })
    opened.addEventListener('close', () => {
      if (opened === socket) lose()
    })
  }

  function receive(message: StreamMessage): void {
    heardAt = Date.now()
    if (message.type === 'events') {
      batch.add(message.events)
      return
    }
    // What arrived before belongs to the journal before.
    batch.flush()
    log.greet(message)
    wait = FIRST_WAIT_MS
    connection.value = 'live'
  }

  function lose(): void {
    socket = undefined
    connection.value = 'lost'
    clearTimeout(retry)
    retry = setTimeout(connect, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }

  /** A page cannot see the server's pings, so after a silence it asks whether anybody is there. */
  async function probe(): Promise<void> {
    const asked = socket
    const answer = await fetch(healthUrl, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    heardAt = Date.now()
    if (answer?.ok || asked !== socket || !asked) return
    lose()
    asked.close()
  }

  setInterval(() => {
    if (connection.peek() === 'live' && Date.now() - heardAt > SILENCE_MS) void probe()
  }, 5_000)
  addEventListener('online', () => {
    if (connection.peek() === 'lost') connect()
    else void probe()
  })

  connect()
  return connection
}
