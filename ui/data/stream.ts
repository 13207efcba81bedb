import { signal } from '@preact/signals'
import type { StreamMessage } from '../../server/contract/schemas/stream.ts'
import type { EventView } from '../../server/contract/views.ts'
import { createBatch } from './batch.ts'
import type { ConnectionState, Following } from './data-source.ts'
import type { Log } from './log.ts'
import { showToast } from '../browser/toasts.ts'
import { controlUrl, streamUrl } from './urls.ts'

const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 5_000
/** Twice the time between two messages `alive` of the sandbox. */
const SILENCE_MS = 30_000
const SILENCE_CHECK_MS = 5_000

/** Events are shown at most this often, because a page that renders in each frame has no time for the user's input. */
const PAUSE_MS = 100
/** If there are more new events than anyone can read, the page renders less often, so that scrolling stays smooth. */
const MAX_READABLE = 20
const LONG_PAUSE_MS = 500

let knownVersion: string | undefined

/**
 * Offers to reload, because another version may send events that this page does not know. Does not reload by itself, because
 * the user may be typing.
 */
function offerReload(version: string): void {
  if (knownVersion !== undefined && knownVersion !== version) {
    const action = { label: 'Reload', run: () => location.reload() }
    showToast({ tone: 'ok', text: `The sandbox is now version ${version}`, action })
  }
  knownVersion = version
}

/**
 * Copies the sandbox's journal into the log. After a lost connection, reconnects with the last `seq` and the epoch of the log.
 * `server/control/stream/stream-events.ts` decides where to continue. If the epoch has changed, the log begins again.
 */
export function followStream(log: Log): Following {
  const connection = signal<ConnectionState>('connecting')
  const batch = createBatch<EventView>((events) => {
    log.append(events)
    const { last, head } = log.journal.peek()
    const areNew = last > head
    return areNew && events.length > MAX_READABLE ? LONG_PAUSE_MS : PAUSE_MS
  })
  let socket: WebSocket | undefined
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let retryMs = MIN_RETRY_MS
  let lastMessageAt = 0

  function connect(): void {
    clearTimeout(retryTimer)
    // The socket may still be connecting.
    socket?.close()
    batch.flush()
    const { last, epoch } = log.journal.peek()
    const opened = new WebSocket(streamUrl(last, epoch))
    socket = opened
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (opened === socket) receive(JSON.parse(data) as StreamMessage)
    })
    opened.addEventListener('close', () => {
      if (opened === socket) reconnect()
    })
  }

  function receive(message: StreamMessage): void {
    lastMessageAt = Date.now()
    if (message.type === 'alive') return
    if (message.type === 'events') {
      batch.add(message.events)
      return
    }
    // Earlier events belong to the previous epoch.
    batch.flush()
    log.start(message)
    offerReload(message.version)
    retryMs = MIN_RETRY_MS
    connection.value = 'live'
  }

  function reconnect(): void {
    socket = undefined
    if (connection.peek() !== 'loggedOut') connection.value = 'lost'
    void checkSession()
    clearTimeout(retryTimer)
    retryTimer = setTimeout(connect, retryMs)
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
  }

  /** Finds out whether a login is needed, because a browser does not say why a WebSocket was rejected. */
  async function checkSession(): Promise<void> {
    const response = await fetch(`${controlUrl}/info`).catch(() => undefined)
    if (connection.peek() === 'live') return
    connection.value = response?.status === 401 ? 'loggedOut' : 'lost'
  }

  // A connection can be dead without an event, for example after a laptop has slept.
  setInterval(() => {
    if (connection.peek() !== 'live' || Date.now() - lastMessageAt <= SILENCE_MS) return
    const silent = socket
    reconnect()
    silent?.close()
  }, SILENCE_CHECK_MS)
  addEventListener('online', () => {
    if (connection.peek() !== 'live') connect()
  })

  connect()
  return { connection, flush: batch.flush }
}
