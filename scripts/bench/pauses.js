import { join } from 'node:path'
import { fillJournal } from './fill-journal.js'
import { fillLinks } from './fill-links.js'
import { makeFolder, startSandbox } from './processes.js'
import { callOnce, getControl, postControl } from './requests.js'
import { median } from './statistics.js'

/** The number of events that a sandbox keeps by default. */
const EVENTS = 50_000
const MAX_PAUSE_MS = 15
const MAX_LATE_MS = 20
const TIMEOUT_MS = 100

/** Matches no event, although every event has this type. */
const UNMATCHED = { type: 'api.request', path: '/nowhere' }

/**
 * Calls that may look at many events. A wait that times out answers with status 408.
 *
 * @type {Readonly<Record<string, (url: string) => Promise<unknown>>>}
 */
const requests = {
  'a page of 1 000 events': (url) => getControl(url, '/events?limit=1000'),
  'events of a rare and a common type': (url) =>
    getControl(url, '/events?type=refund.requested,link.created'),
  'a search of all bodies': (url) => getControl(url, '/events/search?body=nowhere'),
  'links of a rare status': (url) => getControl(url, '/links?status=deleted'),
  'a wait that times out': (url) => waitUntilTimeout(url),
  'expect-none': (url) =>
    postControl(url, '/events/expect-none', { match: UNMATCHED, timeoutMs: TIMEOUT_MS }),
  'a report': (url) => getText(url, '/report'),
  'a HAR file': (url) => getText(url, '/export.har'),
  'a snapshot': (url) => postControl(url, '/snapshots', { name: `at-${Math.round(performance.now())}` }),
}

/** @type {import('./report.js').Part} */
export const pauses = {
  title: 'The longest time that a call of the control API blocks the process',
  columns: ['sandbox'],

  async run(partRun) {
    const folder = makeFolder()
    const first = await startSandbox(folder)
    await callOnce(first.url, 'createSplitLink')
    await first.end()
    const size = partRun.isQuick ? 1_000 : EVENTS
    fillLinks(join(folder, 'sandbox.db'), size)
    fillJournal(join(folder, 'sandbox.db'), size)
    const { url, longestPause, end } = await startSandbox(folder, { args: ['--keep', '0'] })
    const rounds = partRun.isQuick ? 1 : 5
    for (const [what, request] of Object.entries(requests)) {
      // Warms up the JIT compiler.
      await request(url)
      const figures = []
      for (let round = 0; round < rounds; round++) {
        await longestPause()
        await request(url)
        figures.push(await longestPause())
      }
      partRun.addRow({ what, unit: 'ms', measured: median(figures), target: { value: MAX_PAUSE_MS } })
    }
    const late = []
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      await waitUntilTimeout(url)
      late.push(performance.now() - began - TIMEOUT_MS)
    }
    const what = `how late a wait of ${TIMEOUT_MS} ms ends`
    partRun.addRow({ what, unit: 'ms', measured: median(late), target: { value: MAX_LATE_MS } })
    await end()
  },
}

/** @param {string} url */
async function waitUntilTimeout(url) {
  const body = JSON.stringify({ match: UNMATCHED, timeoutMs: TIMEOUT_MS })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/_sandbox/v1/events/wait`, { method: 'POST', headers, body })
  await answer.text()
  if (answer.status !== 408) throw new Error(`A wait that should time out answered ${answer.status}`)
}

/**
 * @param {string} url
 * @param {string} path
 */
async function getText(url, path) {
  const answer = await fetch(`${url}/_sandbox/v1${path}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.text()
}
