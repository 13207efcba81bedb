import { createServer } from 'node:http'

// A receiver that answers at once, or after as many milliseconds as the query asks for, in a process of its own.
// It tells when what was posted to each path came, by the clock that all processes of a machine share.
/** @type {[path: string, at: string][]} */
let arrivals = []
const server = createServer((request, response) => {
  const [path = '', query] = request.url?.split('?') ?? []
  arrivals.push([path, String(process.hrtime.bigint())])
  const ms = Number(new URLSearchParams(query).get('ms') ?? 0)
  request.resume()
  request.on('end', () => (ms === 0 ? response.end('ok') : setTimeout(() => response.end('ok'), ms)))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
  }
})
process.on('message', (question) => {
  if (question !== 'arrivals') return
  process.send?.(arrivals)
  arrivals = []
})
