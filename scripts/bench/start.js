import { makeFolder, startSandbox, startServer } from './processes.js'
import { callOnce } from './requests.js'
import { median, medianRatio, limitedRounds } from './statistics.js'

/** @typedef {import('./processes.js').Server} Server */
/** @typedef {{ ms: number, cpu: number }} Start */

const MAX_MS = 50_000

/** @type {import('./report.js').Part} */
export const start = {
  title: 'A start, until the first link is answered',
  columns: ['sandbox', 'bare server'],

  async run(partRun) {
    const used = makeFolder()
    const ways = {
      bare: () => startServer('bare-server.js', { cwd: makeFolder() }),
      empty: () => startSandbox(makeFolder()),
      used: () => startSandbox(used),
    }
    await measureStart(ways.used)
    /** @type {{ [Way in keyof typeof ways]: Start[] }} */
    const starts = { bare: [], empty: [], used: [] }
    const names = /** @type {const} */ (['bare', 'empty', 'used'])
    for (const round of limitedRounds(partRun.isQuick ? 1 : 9, MAX_MS)) {
      for (const name of round % 2 === 0 ? names : names.toReversed())
        starts[name].push(await measureStart(ways[name]))
    }
    for (const [what, name] of /** @type {const} */ ([
      ['an empty database', 'empty'],
      ['an existing database', 'used'],
    ])) {
      for (const [text, key] of /** @type {const} */ ([
        ['', 'ms'],
        [': processor', 'cpu'],
      ])) {
        const [own, bare] = [starts[name], starts.bare].map((all) => all.map((one) => one[key]))
        partRun.addRow({
          what: `with ${what}${text}`,
          unit: 'ms',
          measured: median(own ?? []),
          baseline: median(bare ?? []),
          ratio: medianRatio(own ?? [], bare ?? []),
          ...(key === 'ms' && { target: { ratio: 1.7 } }),
        })
      }
    }
  },
}

/**
 * @param {() => Promise<Server>} begin
 * @returns {Promise<Start>}
 */
async function measureStart(begin) {
  const began = performance.now()
  const server = await begin()
  await callOnce(server.url, 'createSplitLink')
  const ms = performance.now() - began
  const { cpu } = await server.usage()
  await server.end()
  return { ms, cpu: cpu / 1000 }
}
