import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { onFirstLine } from './on-first-line.ts'
import { STOP_HOST, type StopChannel } from './record.ts'

/** How long a sandbox has to prove its identity. */
const ANSWER_TIMEOUT_MS = 2_000

/** Whether the sandbox that a record describes is still running. */
export async function isRunning(channel: StopChannel): Promise<boolean> {
  const socket = await ask(channel, 'report')
  socket?.destroy()
  return socket !== undefined
}

/**
 * Stops the sandbox that a record describes, and waits until its process has ended. Resolves with `none` if it is not running,
 * and with `late` if it still runs after `timeoutMs`.
 */
export async function stopRunning(
  channel: StopChannel,
  timeoutMs: number,
): Promise<'stopped' | 'none' | 'late'> {
  const socket = await ask(channel, 'stop')
  if (socket === undefined) return 'none'
  const closed = new Promise<'stopped'>((resolve) => socket.once('close', () => resolve('stopped')))
  const result = await Promise.race([closed, pause(timeoutMs, 'late' as const, { ref: false })])
  socket.destroy()
  return result
}

/**
 * Sends a request to the sandbox that a record describes. Resolves with the open connection once the sandbox has proved its
 * identity, or with `undefined` if something else or nothing listens on the port.
 */
function ask({ port, secret, proof }: StopChannel, request: 'report' | 'stop'): Promise<Socket | undefined> {
  const socket = connect(port, STOP_HOST)
  const timer = setTimeout(() => socket.destroy(), ANSWER_TIMEOUT_MS)
  // After an error, `close` is emitted, which is handled below.
  socket.on('error', () => {})
  socket.write(`${secret} ${request}\n`)
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
    onFirstLine(socket, (answer) => {
      clearTimeout(timer)
      if (answer === proof) resolve(socket)
      else socket.destroy()
    })
  })
}
