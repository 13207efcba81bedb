import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * What a proxy does with a message: pass it on, or cut the connection before or after the message reaches the server.
 * `close-before` and `close-after` also refuse new connections, until `open`. `close-answered` passes on the answer first, and then
 * does the same. `hold` and `mute` also refuse new connections, but keep the old one open: `hold` keeps the message back, `mute`
 * keeps all answers back.
 */
type Verdict =
  | 'pass'
  | 'cut-before'
  | 'cut-after'
  | 'close-before'
  | 'close-after'
  | 'close-answered'
  | 'hold'
  | 'mute'

/** A proxy before PostgreSQL that counts the messages of clients, and can cut a connection at one of them. */
export async function startCuttingProxy(server: string) {
  let target = new URL(server)
  const sockets = new Set<Socket>()
  const cuts: { text: string; verdict: Verdict; after: string; isNext: boolean; onCut: () => void }[] = []
  let statements = 0
  let isClosed = false

  function decide(message: string): Verdict {
    const [cut] = cuts
    if (cut) cut.isNext ||= message.includes(cut.after)
    if (!cut?.isNext || !message.includes(cut.text)) return 'pass'
    cuts.shift()
    cut.onCut()
    return cut.verdict
  }

  const proxy = createServer((client) => {
    if (isClosed) {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
    let isAnswered = true
    upstream.on('data', (chunk) => isAnswered && client.write(chunk))
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      // A simple query begins with Q, and an execution of a prepared statement with B.
      if (/^[QBP]/.test(text)) statements++
      const verdict = decide(text)
      isClosed ||= /^(close|hold|mute)/.test(verdict)
      if (verdict === 'hold') return undefined
      if (verdict.endsWith('before')) return client.destroy()
      isAnswered &&= verdict === 'pass' || verdict === 'close-answered'
      upstream.write(chunk)
      // The server executes a message that it has read, even if the connection then ends.
      if (verdict.endsWith('after')) upstream.once('data', () => client.destroy())
      if (verdict === 'close-answered') upstream.once('data', () => client.end())
      return undefined
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(server)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    /** Whether a client or the server still has a connection open. */
    isInUse: () => [...sockets].some(({ destroyed }) => !destroyed),
    open: (): void => void (isClosed = false),
    /** Ends all connections, and connects to another server from now on. */
    moveTo(other: string): void {
      target = new URL(other)
      for (const socket of sockets) socket.destroy()
    },
    /** How many statements were sent so far. */
    statements: () => statements,
    /**
     * Cuts the connection at the next message that contains `text` and comes after a message that contains `after`. `verdict`
     * decides whether the server gets the message, and the client the answer. A second call waits for the first cut. Resolves
     * when the message has arrived.
     */
    cutAt: (text: string, verdict: Verdict, after = text): Promise<void> =>
      new Promise((onCut) => void cuts.push({ text, verdict, after, isNext: false, onCut })),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
