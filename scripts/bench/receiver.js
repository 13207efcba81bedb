import { createServer } from 'node:http'

// A webhook receiver in another process. It answers after the `ms` of the query, or at once. It reports the path and the time of
// each request, by the monotonic clock, which all processes of a machine share.
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
process.on('message', (message) => {
  if (message !== 'arrivals') return
  process.send?.(arrivals)
  arrivals = []
})
