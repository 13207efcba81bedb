import { once } from 'node:events'
import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'

const REQUESTS = 3_000
const AT_ONCE = 16
const TUNNELS = 100

/** @typedef {import('./load.js').Loaded} Loaded */

/** @type {import('./report.js').Part} */
export const tunnels = {
  title: 'Requests through a tunnel',
  columns: ['tunnel', 'directly'],

  async run(partRun) {
    const receiver = await startServer('receiver.js')
    const sandbox = await startSandbox(makeFolder(), { args: ['--keep', '0'] })
    const client = await startProcess('load.js')
    /** @type {(origin: string, paths: readonly string[]) => Promise<Loaded>} */
    const load = (origin, paths) =>
      client.ask({
        origin,
        paths,
        connections: AT_ONCE,
        ms: 8_000,
        maxCalls: partRun.isQuick ? 200 : REQUESTS,
      })

    await measureTunnel('a tunnel that captures', tunnelPaths('idle'))
    for (const count of [1, TUNNELS]) {
      const listeners = await startProcess('listeners.js', {
        args: [sandbox.url, receiver.url, String(count)],
      })
      await listeners.orEnd(once(listeners.child, 'message'))
      const names = Array.from({ length: count }, (_, number) => `bench-${number}`)
      const what = count === 1 ? 'a tunnel' : `${count} tunnels`
      await measureTunnel(`${what} with a listener`, interleave(names.map(tunnelPaths)))
      await listeners.end()
    }
    for (const process of [client, sandbox, receiver]) await process.end()

    /**
     * @param {string} what
     * @param {readonly string[]} paths
     */
    async function measureTunnel(what, paths) {
      const direct = await load(receiver.url, ['/hooks'])
      const { rate, p50, p99 } = await load(sandbox.url, paths)
      partRun.addRow({ what: `${what}: requests`, unit: '/s', measured: rate, baseline: direct.rate })
      partRun.addRow({
        what: `${what}: until the answer, p50`,
        unit: 'ms',
        measured: p50,
        baseline: direct.p50,
      })
      partRun.addRow({
        what: `${what}: until the answer, p99`,
        unit: 'ms',
        measured: p99,
        baseline: direct.p99,
      })
    }
  },
}

/**
 * One path for each connection, because requests to one path wait for each other.
 *
 * @param {string} tunnel
 */
const tunnelPaths = (tunnel) => Array.from({ length: AT_ONCE }, (_, lane) => `/tunnel/${tunnel}/${lane}`)

/** @param {readonly (readonly string[])[]} lists */
const interleave = (lists) => (lists[0] ?? []).flatMap((_, place) => lists.map((list) => list[place] ?? ''))
