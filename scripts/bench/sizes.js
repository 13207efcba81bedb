import { join } from 'node:path'
import { fillJournal } from './fill-journal.js'
import { fillLinks } from './fill-links.js'
import { makeFolder, startProcess, startSandbox } from './processes.js'
import { callOnce, getControl, postControl } from './requests.js'
import { median, medianRatio, limitedRounds } from './statistics.js'

/** @typedef {import('./processes.js').Process} Process */
/** @typedef {Awaited<ReturnType<typeof startFilledSandbox>>} Filled */

const SMALLEST = 1_000
const MAX_GROWTH = 1.5
/** The time limit for each measurement. */
const MAX_MS = 6_000

/**
 * The measured requests. Each returns its duration in milliseconds.
 *
 * @type {Readonly<Record<string, (filled: Filled) => Promise<number>>>}
 */
const measurements = {
  'newest page of the journal': ({ url }) => measureMs(getControl(url, '/events')),
  'page from the middle of the journal': ({ url, size }) =>
    measureMs(getControl(url, `/events?after=${size / 2}`)),
  'events of one link': ({ url, id }) => measureMs(getControl(url, `/events?link=${id}`)),
  'events of a rare type': ({ url }) => measureMs(getControl(url, '/events?type=refund.requested')),
  async 'events/wait, from the beginning'({ url }) {
    const { id } = await callOnce(url, 'createSplitLink')
    return measureMs(
      postControl(url, '/events/wait', { match: { type: 'link.created', linkId: id }, timeoutMs: 60_000 }),
    )
  },
  async 'events/wait, after a seq'({ url }) {
    const { head } = await getControl(url, '/events?limit=1')
    const { id } = await callOnce(url, 'createSplitLink')
    const match = { type: 'link.created', linkId: id }
    return measureMs(postControl(url, '/events/wait', { match, after: head }))
  },
  'newest page of links': ({ url }) => measureMs(getControl(url, '/links')),
  'links of a rare status': ({ url }) => measureMs(getControl(url, '/links?status=cancelled')),
  'one link': ({ url, id }) => measureMs(getControl(url, `/links/${id}`)),
  createSplitLink: ({ url }) => measureMs(callOnce(url, 'createSplitLink')),
}

/** @type {import('./report.js').Part} */
export const sizes = {
  title: 'With many events and links, p50',
  columns: ['with many', 'with 1 000'],

  async run(partRun) {
    const counts = [
      SMALLEST,
      ...(partRun.isQuick ? [2_000] : [10_000, 100_000]),
      ...(partRun.isFull ? [1_000_000] : []),
    ]
    const client = await startProcess('load.js')
    /** @type {Filled[]} */
    const all = []
    for (const count of counts) all.push(await startFilledSandbox(count))

    for (const [what, ask] of Object.entries(measurements)) {
      await compare(what, 'ms', partRun.isQuick ? 2 : 9, ask)
    }
    await compare('createSplitLink, 16 at once: processor', 'µs', partRun.isQuick ? 1 : 5, (one) =>
      cpuPerCall(client, one),
    )
    for (const process of [client, ...all]) await process.end()

    /**
     * @param {string} what
     * @param {string} unit
     * @param {number} maxRounds
     * @param {(filled: Filled) => Promise<number>} ask
     */
    async function compare(what, unit, maxRounds, ask) {
      const figures = all.map(() => /** @type {number[]} */ ([]))
      // Warms up the JIT compiler.
      for (const one of all) await ask(one)
      for (const _ of limitedRounds(maxRounds, MAX_MS)) {
        for (const [place, one] of all.entries()) figures[place]?.push(await ask(one))
      }
      const [smallest = [], ...more] = figures
      for (const [place, own] of more.entries()) {
        const count = counts[place + 1]
        partRun.addRow({
          what: `${what}, ${count?.toLocaleString('en-US').replaceAll(',', ' ')}`,
          unit,
          measured: median(own),
          baseline: median(smallest),
          ratio: medianRatio(own, smallest),
          ...(count === counts.at(-1) && { target: { ratio: MAX_GROWTH } }),
        })
      }
    }
  },
}

/**
 * Starts a sandbox with many events and links, which keeps all events.
 *
 * @param {number} size
 */
async function startFilledSandbox(size) {
  const folder = makeFolder()
  const first = await startSandbox(folder)
  const { id } = await callOnce(first.url, 'createSplitLink')
  await first.end()
  fillLinks(join(folder, 'sandbox.db'), size)
  fillJournal(join(folder, 'sandbox.db'), size)
  const sandbox = await startSandbox(folder, { args: ['--keep', '0'] })
  return { ...sandbox, size, id: /** @type {number} */ (id) }
}

/** @param {Promise<unknown>} answer */
async function measureMs(answer) {
  const began = performance.now()
  await answer
  return performance.now() - began
}

/**
 * @param {Process} client
 * @param {Filled} sandbox
 */
async function cpuPerCall(client, { url, usage }) {
  const before = await usage()
  const load = { origin: url, operation: 'createSplitLink', from: 1, connections: 16 }
  const { calls } = await client.ask({ ...load, ms: 1_000, maxCalls: 500 })
  return ((await usage()).cpu - before.cpu) / calls
}
