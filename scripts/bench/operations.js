import { join } from 'node:path'
import { bodies } from './api-requests.js'
import { fillPaidLinks } from './fill-paid-links.js'
import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'
import { settle } from './requests.js'
import { median, medianRatio, limitedRounds } from './statistics.js'

/** @typedef {import('./report.js').PartRun} PartRun */
/** @typedef {import('./processes.js').Server} Server */
/** @typedef {import('./load.js').Loaded & { cpu: number }} Sample */

const CONNECTIONS = [1, 16, 64]
const PAID_LINKS = 200_000
/** The time limit for each operation and number of connections. */
const MAX_MS = 12_000

/** The target ratios of createSplitLink, by the number of connections. */
const TARGETS = /** @type {Readonly<Record<number, { rate: number, p99?: number }>>} */ ({
  1: { rate: 0.6 },
  16: { rate: 1.1, p99: 2 },
  64: { rate: 1.3, p99: 1.5 },
})

/** @type {import('./report.js').Part} */
export const operations = {
  title: 'Each operation of the API, by the number of connections',
  columns: ['sandbox', 'bare server', 'node:http'],

  async run(partRun) {
    const receiver = await startServer('receiver.js')
    const folder = makeFolder()
    const paid = await fillPaidLinks(folder, [`${receiver.url}/hook`], partRun.isQuick ? 20_000 : PAID_LINKS)
    const servers = {
      sandbox: await startSandbox(folder),
      baseline: await startServer('bare-server.js', { args: [join(folder, 'bare.db')] }),
      floor: await startServer('bare-http.js'),
    }
    const load = await startProcess('load.js')
    let next = paid.first

    /** @type {(server: Server, operation: string, connections: number, ms: number, maxCalls?: number) => Promise<Sample>} */
    async function sample(server, operation, connections, ms, maxCalls) {
      const before = await server.usage()
      const request = { origin: server.url, operation, from: next, connections, ms, maxCalls }
      /** @type {import('./load.js').Loaded} */
      const loaded = await load.ask(request)
      if (server === servers.sandbox && operation === 'sendWebhookViaPayId') await settle(server.url)
      const after = await server.usage()
      if (server === servers.sandbox) next += loaded.calls
      return { ...loaded, cpu: (after.cpu - before.cpu) / loaded.calls }
    }

    const count = partRun.isQuick ? 1 : 3
    const ms = partRun.isQuick ? 100 : 400
    // Enough calls for the JIT compiler.
    const warmUp = partRun.isQuick ? 100 : 4_000
    for (const server of Object.values(servers)) {
      await sample(server, 'createSplitLink', 16, 10_000, warmUp)
    }
    for (const operation of Object.keys(bodies)) {
      // Each call queues a webhook, and all must be delivered before the next sample.
      const calls = operation === 'sendWebhookViaPayId' ? 300 : undefined
      for (const connections of CONNECTIONS) {
        /** @type {{ sandbox: Sample[], baseline: Sample[], floor: Sample[] }} */
        const samples = { sandbox: [], baseline: [], floor: [] }
        const names = /** @type {const} */ (['sandbox', 'baseline', 'floor'])
        for (const round of limitedRounds(operation === 'createSplitLink' ? count * 2 + 1 : count, MAX_MS)) {
          for (const name of round % 2 === 0 ? names : names.toReversed()) {
            samples[name].push(await sample(servers[name], operation, connections, ms, calls))
          }
        }
        addRows(partRun, operation, connections, samples)
      }
    }
    for (const process of [load, receiver, ...Object.values(servers)]) await process.end()
  },
}

/**
 * @param {PartRun} partRun
 * @param {string} operation
 * @param {number} connections
 * @param {{ sandbox: Sample[], baseline: Sample[], floor: Sample[] }} samples
 */
function addRows(partRun, operation, connections, { sandbox, baseline, floor }) {
  const target = operation === 'createSplitLink' ? TARGETS[connections] : undefined
  const what = `${operation}, ${connections} at once`
  /** @type {(text: string, unit: string, key: 'rate' | 'p50' | 'p99' | 'cpu', ratio?: number) => void} */
  function row(text, unit, key, ratio) {
    const [own, base, least] = [sandbox, baseline, floor].map((samples) =>
      samples.map((sample) => sample[key]),
    )
    partRun.addRow({
      what: `${what}: ${text}`,
      unit,
      measured: median(own ?? []),
      baseline: median(base ?? []),
      floor: median(least ?? []),
      ratio: medianRatio(own ?? [], base ?? []),
      ...(ratio !== undefined && { target: { ratio } }),
    })
  }
  row('calls', '/s', 'rate', target?.rate)
  row('p50', 'ms', 'p50')
  row('p99', 'ms', 'p99', target?.p99)
  row('processor', 'µs', 'cpu')
}
