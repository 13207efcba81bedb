import { signal, type ReadonlySignal } from '@preact/signals'
import type { EventView } from '../server/contract/views.ts'
import type { StreamMessage } from '../server/contract/schemas/stream.ts'
import { createBatch } from './batch.ts'
import type { Log } from './log.ts'
import { showToast } from './toasts.ts'
import { streamUrl } from './urls.ts'

/** A `report` is not connected to anything, and never will be. */
export type Connection = 'connecting' | 'live' | 'lost' | 'report'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
/** Twice as long as a living sandbox is ever silent. */
const SILENCE_MS = 30_000

let known: string | undefined

/** A sandbox of another version may tell things that this page does not know. Whoever types here decides when. */
function offerReload(version: string): void {
  if (known !== undefined && known !== version) {
    const action = { label: 'Reload', run: () => location.reload() }
    showToast({ tone: 'ok', text: `The sandbox is now version ${version}`, action })
  }
  known = version
}

/** Follows the sandbox's journal into the log, and after a lost connection goes on where it was. */
export function followStream(log: Log): ReadonlySignal<Connection> {
  const connection = signal<Connection>('connecting')
  const batch = createBatch<EventView>((events) => log.append(events))
  let socket: WebSocket | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = FIRST_WAIT_MS
  let lastMessageAt = 0

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
    lastMessageAt = Date.now()
    if (message.type === 'alive') return
    if (message.type === 'events') {
      batch.add(message.events)
      return
    }
    // What arrived before belongs to the journal before.
    batch.flush()
    log.greet(message)
    offerReload(message.version)
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

  /** A connection may be dead without having ended, as after a laptop has slept. */
  setInterval(() => {
    if (connection.peek() !== 'live' || Date.now() - lastMessageAt <= SILENCE_MS) return
    const silent = socket
    lose()
    silent?.close()
  }, 5_000)
  addEventListener('online', () => {
    if (connection.peek() === 'lost') connect()
  })

  connect()
  return connection
}
