import { once } from 'node:events'
import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'

const REQUESTS = 3_000
const AT_ONCE = 16
const TUNNELS = 100

/** @typedef {import('./load.js').Loaded} Loaded */

/** @type {import('./report.js').Part} */
export const tunnels = {
  title: 'Requests through a tunnel',
  columns: ['tunnel', 'straight on'],

  async run(bench) {
    const receiver = await startServer('receiver.js')
    const sandbox = await startSandbox(makeFolder(), { args: ['--keep', '0'] })
    const client = await startProcess('load.js')
    /** @type {(origin: string, paths: readonly string[]) => Promise<Loaded>} */
    const load = (origin, paths) =>
      client.ask({ origin, paths, connections: AT_ONCE, ms: 8_000, most: bench.isQuick ? 200 : REQUESTS })

    await tell('a tunnel that captures', tunnelPaths('idle'))
    for (const count of [1, TUNNELS]) {
      const listeners = await startProcess('listeners.js', {
        args: [sandbox.url, receiver.url, String(count)],
      })
      await listeners.orEnd(once(listeners.child, 'message'))
      const names = Array.from({ length: count }, (_, number) => `bench-${number}`)
      const what = count === 1 ? 'a tunnel' : `${count} tunnels`
      await tell(`${what} with a listener`, interleave(names.map(tunnelPaths)))
      await listeners.end()
    }
    for (const process of [client, sandbox, receiver]) await process.end()

    /**
     * @param {string} what
     * @param {readonly string[]} paths
     */
    async function tell(what, paths) {
      const direct = await load(receiver.url, ['/hooks'])
      const { rate, p50, p99 } = await load(sandbox.url, paths)
      bench.row({ what: `${what}: requests`, unit: '/s', measured: rate, beside: direct.rate })
      bench.row({ what: `${what}: until the answer, p50`, unit: 'ms', measured: p50, beside: direct.p50 })
      bench.row({ what: `${what}: until the answer, p99`, unit: 'ms', measured: p99, beside: direct.p99 })
    }
  },
}

/**
 * As many paths of a tunnel as are posted to at once: those of one path wait for each other.
 *
 * @param {string} tunnel
 */
const tunnelPaths = (tunnel) => Array.from({ length: AT_ONCE }, (_, lane) => `/tunnel/${tunnel}/${lane}`)

/** @param {readonly (readonly string[])[]} lists */
const interleave = (lists) => (lists[0] ?? []).flatMap((_, place) => lists.map((list) => list[place] ?? ''))
