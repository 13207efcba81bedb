import { isDeepStrictEqual } from 'node:util'
import { WebSocket } from 'ws'
import { createCondition } from '../support/condition.ts'

export interface StreamedEvent {
  readonly seq: number
  readonly type: string
}

/** What streams have sent since the last check. All streams must have sent the same. */
export interface Streamed {
  /** The last event before these. */
  readonly after: number
  last: number
  /** The types of the events, by `seq`. */
  readonly types: Map<number, string>
}

/**
 * Compares what several streams send. Each stream must send each event once, in sequence, without a gap, and equal to the
 * others.
 */
export function createStreamComparison(count: number, problems: string[]) {
  const lasts = Array.from({ length: count }, () => 0)
  const sent = new Map<number, { readonly stream: number; readonly event: StreamedEvent }>()
  let streamed: Streamed = { after: 0, last: 0, types: new Map() }
  return {
    last: (stream: number): number => lasts[stream]!,
    add(stream: number, event: StreamedEvent): void {
      const { seq, type } = event
      const last = lasts[stream]!
      if (seq <= last) {
        problems.push(`Stream ${stream} sent event ${seq} after ${last}.`)
        return
      }
      if (last > 0 && seq > last + 1)
        problems.push(`Stream ${stream} skipped the events between ${last} and ${seq}.`)
      lasts[stream] = seq
      const first = sent.get(seq)
      if (!first) sent.set(seq, { stream, event })
      // The sequence of the keys depends on whether the event was read from the database.
      else if (!isDeepStrictEqual(first.event, event))
        problems.push(
          `Stream ${stream} sent event ${seq} as ${JSON.stringify(event)}, stream ${first.stream} as ${JSON.stringify(first.event)}.`,
        )
      if (!streamed.types.has(seq)) streamed.types.set(seq, type)
    },
    /** The streams that have not reached this event. */
    behind: (seq: number): number[] => [...lasts.keys()].filter((stream) => lasts[stream]! < seq),
    /** Returns what the streams have sent since the last call. */
    take(): Streamed {
      const taken = { ...streamed, last: Math.max(...lasts) }
      streamed = { after: taken.last, last: taken.last, types: new Map() }
      sent.clear()
      return taken
    },
  }
}

/** Follows the journal over several WebSockets, which reconnect and continue after the last event. */
export function followStreams(
  urls: readonly string[],
  up: (url: string) => Promise<unknown>,
  problems: string[],
) {
  const comparison = createStreamComparison(urls.length, problems)
  const { notify, until } = createCondition()
  const open = new Set<WebSocket>()
  let isClosed = false

  function follow(url: string, index: number): void {
    if (isClosed) return
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}/_sandbox/v1/stream?after=${comparison.last(index)}`,
    )
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      void up(url).then(() => setImmediate(() => follow(url, index)))
    })
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { type: string; events: StreamedEvent[] }
      if (message.type === 'events') for (const event of message.events) comparison.add(index, event)
      notify()
    })
  }
  for (const [index, url] of urls.entries()) follow(url, index)

  return {
    /** Waits until each stream has reached an event, and returns what they have sent. */
    async takeUpTo(seq: number): Promise<Streamed> {
      await until(() => comparison.behind(seq).length === 0)
      return comparison.take()
    },
    close(): void {
      isClosed = true
      for (const socket of open) socket.terminate()
    },
  }
}
