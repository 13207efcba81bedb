import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'

/** @typedef {import('./processes.js').Server} Server */
/** @typedef {import('./processes.js').Process} Process */

const MEGABYTE = 1_000_000
const LIMIT = 150
const CALLS = 100_000
/** The time limit. The row says how many calls were made. */
const MAX_MS = 45_000

/** @type {import('./report.js').Part} */
export const memory = {
  title: 'Resident memory',
  columns: ['sandbox', 'bare server'],

  async run(partRun) {
    const folder = makeFolder()
    const client = await startProcess('load.js')
    const sandbox = await startSandbox(folder)
    const bare = await startServer('bare-server.js', { cwd: folder })
    const addRow = async (/** @type {string} */ what) => {
      const [own, bareUsage] = [await sandbox.usage(), await bare.usage()]
      partRun.addRow({
        what,
        unit: 'MB',
        measured: own.memory / MEGABYTE,
        baseline: bareUsage.memory / MEGABYTE,
        target: { value: LIMIT },
      })
    }
    await addRow('after the start')
    const goals = partRun.isQuick ? [100] : partRun.isFull ? [CALLS, 10 * CALLS] : [CALLS]
    // Messages between processes are JSON, which cannot contain Infinity.
    const limit = partRun.isFull ? {} : { ms: MAX_MS }
    let created = 0
    for (const goal of goals) {
      const load = { operation: 'createSplitLink', from: created, connections: 16, maxCalls: goal - created }
      const { calls } = await client.ask({ ...load, origin: sandbox.url, ...limit })
      await client.ask({ ...load, origin: bare.url, ...limit, maxCalls: calls })
      created += calls
      await addRow(`after ${created} calls`)
    }
    const inMemory = await startSandbox(folder, { db: ':memory:' })
    created = 0
    for (const goal of goals) {
      const load = { operation: 'createSplitLink', from: created, connections: 16, maxCalls: goal - created }
      const { calls } = await client.ask({ ...load, origin: inMemory.url, ...limit })
      created += calls
      const measured = (await inMemory.usage()).memory / MEGABYTE
      partRun.addRow({ what: `with --db :memory:, after ${created} calls`, unit: 'MB', measured })
    }
    for (const process of [client, sandbox, inMemory, bare]) await process.end()
  },
}
