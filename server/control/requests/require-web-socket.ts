import { createMiddleware } from 'hono/factory'
import { invalid } from './problem.ts'

/** Rejects requests that do not open a WebSocket. `advice` says how to open it. */
export const requireWebSocket = (advice: string) =>
  createMiddleware(async (c, next) => {
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
      throw invalid(`This address accepts WebSockets only: ${advice}.`)
    }
    await next()
  })
