import { createServer } from 'node:http'
import { bareEnvelope } from './bare-envelope.js'

// The simplest possible server, which shows what Node itself costs: it reads the body, stores nothing and responds.
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(bareEnvelope(1, body)))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
  }
})
