import { makeFolder, startProcess, startSandbox } from './processes.js'
import { getControl } from './requests.js'
import { median, medianRatio, limitedRounds } from './statistics.js'

const COUNTS = [0, 1, 20]
const MAX_MS = 25_000

/** @typedef {import('./load.js').Loaded & { cpu: number }} Sample */

/** @type {import('./report.js').Part} */
export const stream = {
  title: 'createSplitLink, 16 at once, while inspectors watch',
  columns: ['measured', 'one inspector'],

  async run(partRun) {
    const sandbox = await startSandbox(makeFolder())
    const [client, watchers] = [await startProcess('load.js'), await startProcess('watchers.js')]
    const load = { origin: sandbox.url, operation: 'createSplitLink', from: 1, connections: 16 }
    await client.ask({ ...load, ms: 10_000, maxCalls: partRun.isQuick ? 100 : 4_000 })

    /** @type {Map<number, Sample[]>} */
    const samples = new Map(COUNTS.map((count) => [count, []]))
    for (const round of limitedRounds(partRun.isQuick ? 1 : 5, MAX_MS)) {
      for (const count of round % 2 === 0 ? COUNTS : COUNTS.toReversed()) {
        const { head } = await getControl(sandbox.url, '/events?limit=1')
        const url = `${sandbox.url.replace('http', 'ws')}/_sandbox/v1/stream?after=${head}`
        await watchers.ask({ url, count })
        const before = await sandbox.usage()
        /** @type {import('./load.js').Loaded} */
        const loaded = await client.ask({ ...load, ms: partRun.isQuick ? 100 : 1_000 })
        const { cpu } = await sandbox.usage()
        samples.get(count)?.push({ ...loaded, cpu: (cpu - before.cpu) / loaded.calls })
        const received = await watchers.ask({ url, count: 0 })
        if (count > 0 && received === 0) throw new Error('No inspector received an event')
      }
    }
    for (const count of COUNTS) {
      for (const [text, unit, key] of /** @type {const} */ ([
        ['calls', '/s', 'rate'],
        ['p99', 'ms', 'p99'],
        ['processor', 'µs', 'cpu'],
      ])) {
        const [own, byOne] = [count, 1].map((of) => (samples.get(of) ?? []).map((sample) => sample[key]))
        partRun.addRow({
          what: `${count === 0 ? 'no inspector' : `${count} inspector${count === 1 ? '' : 's'}`}: ${text}`,
          unit,
          measured: median(own ?? []),
          ...(count !== 1 && { baseline: median(byOne ?? []), ratio: medianRatio(own ?? [], byOne ?? []) }),
          ...(count === 20 && key === 'rate' && { target: { ratio: 0.8 } }),
        })
      }
    }
    for (const process of [client, watchers, sandbox]) await process.end()
  },
}
