import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { onFirstLine } from './on-first-line.ts'
import { STOP_HOST, type StopChannel } from './record.ts'

/** How long a sandbox has to prove that it is the recorded sandbox. */
const ANSWER_TIMEOUT_MS = 2_000

/** Whether the sandbox of a record still runs. */
export async function isRunning(channel: StopChannel): Promise<boolean> {
  const socket = await ask(channel, 'report')
  socket?.destroy()
  return socket !== undefined
}

/**
 * Stops the sandbox of a record, and waits until its process has ended. Resolves with `none` if it does not run, and with
 * `late` if it still runs after `timeoutMs`.
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
 * Sends a request to the sandbox of a record. Resolves with the open connection once the sandbox has proved who it is, with
 * `undefined` if nothing listens there, or another program.
 */
function ask({ port, secret, proof }: StopChannel, request: 'report' | 'stop'): Promise<Socket | undefined> {
  const socket = connect(port, STOP_HOST)
  const timer = setTimeout(() => socket.destroy(), ANSWER_TIMEOUT_MS)
  // `close` follows.
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
