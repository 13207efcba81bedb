import type { WebSocket } from 'ws'

/**
 * Asks the other end for a sign of life again and again. One that gave none from one beat to the next is dead, whatever
 * the connection looks like: a frozen one is never closed by itself.
 */
export function startHeartbeat(socket: WebSocket, everyMs: number, onDead: () => void): () => void {
  let isAlive = true
  const live = (): void => void (isAlive = true)
  socket.on('pong', live).on('ping', live).on('message', live)
  const timer = setInterval(() => {
    if (!isAlive) {
      stop()
      onDead()
      return
    }
    isAlive = false
    if (socket.readyState === socket.OPEN) socket.ping()
  }, everyMs).unref()
  const stop = (): void => clearInterval(timer)
  socket.once('close', stop)
  return stop
}
