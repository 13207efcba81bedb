import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../run.js'

// Connects a listener to each of several tunnels, in a separate process.
const [url = '', to = '', count = '1'] = process.argv.slice(2)
/** @type {typeof import('../../server/package/index.ts')} */
const { connectSandbox } = await import(pathToFileURL(join(root, 'dist', 'server', 'index.js')).href)
const sandbox = await connectSandbox(url)
const names = Array.from({ length: Number(count) }, (_, number) => `bench-${number}`)
await Promise.all(names.map((name) => sandbox.tunnels.listen({ tunnel: name, forwardTo: to })))
process.send?.('listening')
process.once('disconnect', () => process.exit())
