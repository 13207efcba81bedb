import { createServer } from 'node:http'

// A receiver that takes everything at once, in a process of its own.
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('ok'))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
  }
})
