import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'

/** @typedef {import('./processes.js').Server} Server */
/** @typedef {import('./processes.js').Process} Process */

const MEGABYTE = 1_000_000
const LIMIT = 150
const CALLS = 100_000
/** A busy machine makes fewer calls, and the row says how many. */
const MAX_MS = 45_000

/** @type {import('./report.js').Part} */
export const memory = {
  title: 'Resident memory',
  columns: ['sandbox', 'bare server'],

  async run(bench) {
    const folder = makeFolder()
    const client = await startProcess('load.js')
    const sandbox = await startSandbox(folder)
    const bare = await startServer('bare-server.js', { cwd: folder })
    const tell = async (/** @type {string} */ what) => {
      const [own, other] = [await sandbox.usage(), await bare.usage()]
      bench.row({
        what,
        unit: 'MB',
        measured: own.memory / MEGABYTE,
        beside: other.memory / MEGABYTE,
        asked: { value: LIMIT },
      })
    }
    await tell('after the start')
    const goals = bench.isQuick ? [100] : bench.isFull ? [CALLS, 10 * CALLS] : [CALLS]
    let made = 0
    for (const goal of goals) {
      const load = { operation: 'createSplitLink', from: made, connections: 16, most: goal - made }
      // What goes to another process is JSON, which knows no infinity.
      const limit = bench.isFull ? {} : { ms: MAX_MS }
      const { calls } = await client.ask({ ...load, origin: sandbox.url, ...limit })
      await client.ask({ ...load, origin: bare.url, ...limit, most: calls })
      made += calls
      await tell(`after ${made} calls`)
    }
    for (const process of [client, sandbox, bare]) await process.end()
  },
}
