import { onFirstLine } from './on-first-line.ts'
import { isSameSecret } from '../../platform/http/access.ts'
import { createServer, type AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { RunningSandbox } from '../../runtime/sandbox.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import type { CliIo } from '../io.ts'
import { backgroundFilesOf } from './background-files.ts'
import { removeRecord, writeRecord, STOP_HOST, type StopChannel } from './record.ts'

/** Lets `stop` find a sandbox in the background. */
export async function serveBackground(
  { url }: RunningSandbox,
  options: Pick<StartOptions, 'db' | 'host' | 'port'>,
  log: string,
  io: CliIo,
) {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  const channel = await openStopChannel(() => stopping.abort())
  const { record } = backgroundFilesOf(options, io)
  await writeRecord(record, { url, pid: process.pid, log: resolve(log), ...channel })
  return {
    /** Resolves when `stop` requests that this process ends. */
    stopped,
    end: () => removeRecord(record),
  }
}

/**
 * Listens for `stop` on a separate port. A signal would need the process id, which may belong to a different process if this one
 * was killed. On Windows, a signal would also kill the sandbox at once.
 */
async function openStopChannel(onStop: () => void): Promise<StopChannel> {
  const channel = { secret: randomUUID(), proof: randomUUID() }
  const server = createServer((socket) => {
    socket.unref().on('error', () => {})
    onFirstLine(socket, (line) => {
      const [secret = '', request] = line.split(' ')
      if (!isSameSecret(secret, channel.secret)) return void socket.destroy()
      // The connection stays open until this process ends, so that the caller notices when it ends.
      socket.write(`${channel.proof}\n`)
      if (request === 'stop') onStop()
    })
  }).unref()
  await once(server.listen(0, STOP_HOST), 'listening')
  return { ...channel, port: (server.address() as AddressInfo).port }
}
