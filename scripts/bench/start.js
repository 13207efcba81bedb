import { makeFolder, startSandbox, startServer } from './processes.js'
import { callOnce } from './requests.js'
import { median, ratioOf, rounds } from './statistics.js'

/** @typedef {import('./processes.js').Server} Server */

const MOST_MS = 50_000

/** @type {import('./report.js').Part} */
export const start = {
  title: 'A start, from the process to the first link it answered',
  columns: ['sandbox', 'bare server'],

  async run(bench) {
    const used = makeFolder()
    await timed(() => startSandbox(used, plain))
    /** Nothing is loaded before them here, as that takes time too. */
    const ways = {
      empty: () => startSandbox(makeFolder(), plain),
      used: () => startSandbox(used, plain),
      bare: () => startServer('bare-server.js', { cwd: makeFolder(), ...plain }),
    }
    /** @type {Record<'empty' | 'used' | 'bare', number[]>} */
    const times = { empty: [], used: [], bare: [] }
    const names = /** @type {const} */ (['bare', 'empty', 'used'])
    for (const round of rounds(bench.isQuick ? 1 : 9, MOST_MS)) {
      for (const name of round % 2 === 0 ? names : names.toReversed())
        times[name].push(await timed(ways[name]))
    }
    for (const [what, key] of /** @type {const} */ ([
      ['an empty database', 'empty'],
      ['an existing database', 'used'],
    ])) {
      bench.row({
        what: `with ${what}`,
        unit: 'ms',
        measured: median(times[key]),
        beside: median(times.bare),
        ratio: ratioOf(times[key], times.bare),
        asked: { ratio: 1.7 },
      })
    }
  },
}

const plain = { execArgv: [] }

/** @param {() => Promise<Server>} begin */
async function timed(begin) {
  const began = performance.now()
  const server = await begin()
  await callOnce(server.url, 'createSplitLink')
  const ms = performance.now() - began
  await server.end()
  return ms
}
