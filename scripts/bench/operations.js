import { join } from 'node:path'
import { bodies } from './api-requests.js'
import { fillPaidLinks } from './fill-paid-links.js'
import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'
import { settle } from './requests.js'
import { median, medianRatio, limitedRounds } from './statistics.js'

/** @typedef {import('./report.js').Bench} Bench */
/** @typedef {import('./processes.js').Server} Server */
/** @typedef {import('./load.js').Loaded & { cpu: number }} Sample */

const CONNECTIONS = [1, 16, 64]
const PAID_LINKS = 200_000
/** For each operation and number of connections. */
const MAX_MS = 12_000

/** What DESIGN asks of createSplitLink, beside the bare server. */
const TARGETS = /** @type {Readonly<Record<number, { rate: number, p99?: number }>>} */ ({
  1: { rate: 0.6 },
  16: { rate: 1, p99: 2 },
  64: { rate: 1, p99: 2 },
})

/** @type {import('./report.js').Part} */
export const operations = {
  title: 'Each operation of the API, by how many connections call it at once',
  columns: ['sandbox', 'bare server', 'node:http'],

  async run(bench) {
    const receiver = await startServer('receiver.js')
    const folder = makeFolder()
    const paid = await fillPaidLinks(folder, [`${receiver.url}/hook`], bench.isQuick ? 20_000 : PAID_LINKS)
    const servers = {
      sandbox: await startSandbox(folder),
      beside: await startServer('bare-server.js', { args: [join(folder, 'bare.db')] }),
      floor: await startServer('bare-http.js'),
    }
    const load = await startProcess('load.js')
    let next = paid.first

    /** @type {(server: Server, operation: string, connections: number, ms: number, most?: number) => Promise<Sample>} */
    async function sample(server, operation, connections, ms, most) {
      const before = await server.usage()
      const question = { origin: server.url, operation, from: next, connections, ms, most }
      /** @type {import('./load.js').Loaded} */
      const loaded = await load.ask(question)
      if (server === servers.sandbox && operation === 'sendWebhookViaPayId') await settle(server.url)
      const after = await server.usage()
      if (server === servers.sandbox) next += loaded.calls
      return { ...loaded, cpu: (after.cpu - before.cpu) / loaded.calls }
    }

    const most = bench.isQuick ? 1 : 3
    const ms = bench.isQuick ? 100 : 400
    // Enough calls for what is compiled as it runs.
    const warmUp = bench.isQuick ? 100 : 4_000
    for (const server of Object.values(servers)) {
      await sample(server, 'createSplitLink', 16, 10_000, warmUp)
    }
    for (const operation of Object.keys(bodies)) {
      // It queues a webhook each, and what is queued has to be delivered before the next sample.
      const calls = operation === 'sendWebhookViaPayId' ? 300 : undefined
      for (const connections of CONNECTIONS) {
        /** @type {{ sandbox: Sample[], beside: Sample[], floor: Sample[] }} */
        const samples = { sandbox: [], beside: [], floor: [] }
        const names = /** @type {const} */ (['sandbox', 'beside', 'floor'])
        for (const round of limitedRounds(operation === 'createSplitLink' ? most * 2 + 1 : most, MAX_MS)) {
          for (const name of round % 2 === 0 ? names : names.toReversed()) {
            samples[name].push(await sample(servers[name], operation, connections, ms, calls))
          }
        }
        addRows(bench, operation, connections, samples)
      }
    }
    for (const process of [load, receiver, ...Object.values(servers)]) await process.end()
  },
}

/**
 * @param {Bench} bench
 * @param {string} operation
 * @param {number} connections
 * @param {{ sandbox: Sample[], beside: Sample[], floor: Sample[] }} samples
 */
function addRows(bench, operation, connections, { sandbox, beside, floor }) {
  const asked = operation === 'createSplitLink' ? TARGETS[connections] : undefined
  const what = `${operation}, ${connections} at once`
  /** @type {(text: string, unit: string, key: 'rate' | 'p50' | 'p99' | 'cpu', ratio?: number) => void} */
  function row(text, unit, key, ratio) {
    const [own, other, least] = [sandbox, beside, floor].map((samples) =>
      samples.map((sample) => sample[key]),
    )
    bench.row({
      what: `${what}: ${text}`,
      unit,
      measured: median(own ?? []),
      beside: median(other ?? []),
      floor: median(least ?? []),
      ratio: medianRatio(own ?? [], other ?? []),
      ...(ratio !== undefined && { asked: { ratio } }),
    })
  }
  row('calls', '/s', 'rate', asked?.rate)
  row('p50', 'ms', 'p50')
  row('p99', 'ms', 'p99', asked?.p99)
  row('processor', 'µs', 'cpu')
}
