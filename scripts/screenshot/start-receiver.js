import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * Starts an app that answers webhooks by their path: `/500`, `/503`, `/login`, `/slow`, `/never`, `/first-500`. All other
 * requests get 200.
 */
export async function startReceiver() {
  let isFirst = true
  const server = createServer(async (request, response) => {
    await request.resume().toArray()
    const path = request.url ?? ''
    if (path.startsWith('/never')) return
    if (path.startsWith('/slow')) await new Promise((resolve) => setTimeout(resolve, 1_200))
    if (path.startsWith('/login')) return void response.writeHead(302, { location: '/login' }).end()
    const status =
      path.startsWith('/first-500') && isFirst ? 500 : Number(/^\/(5\d\d)/.exec(path)?.[1] ?? 200)
    if (path.startsWith('/first-500')) isFirst = false
    response.writeHead(status, { 'content-type': 'text/plain' })
    response.end(
      status === 200 ? 'ok' : 'Error: database is locked\n    at Database.prepare (orders.js:12:9)\n',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
