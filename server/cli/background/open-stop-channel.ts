import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { isSameSecret } from '../../platform/http/access.ts'
import { onFirstLine } from './on-first-line.ts'
import { STOP_HOST, type StopChannel } from './record.ts'

/**
 * Listens on a port of its own for `stop`. A signal would need the id of the process, which belongs to another process if
 * this one was killed. On Windows it would also kill the sandbox at once.
 */
export async function openStopChannel(onStop: () => void): Promise<StopChannel> {
  const channel = { secret: randomUUID(), proof: randomUUID() }
  const server = createServer((socket) => {
    socket.unref().on('error', () => {})
    onFirstLine(socket, (line) => {
      const [secret = '', request] = line.split(' ')
      if (!isSameSecret(secret, channel.secret)) return void socket.destroy()
      // The connection stays open until this process ends, so that the caller notices the end.
      socket.write(`${channel.proof}\n`)
      if (request === 'stop') onStop()
    })
  }).unref()
  await once(server.listen(0, STOP_HOST), 'listening')
  return { ...channel, port: (server.address() as AddressInfo).port }
}
