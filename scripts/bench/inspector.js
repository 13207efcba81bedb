import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { findOrFetchBrowser } from '../find-browser.js'
import { root } from '../run.js'
import { fillJournal } from './fill-journal.js'
import { watchFrames } from './frames.js'
import { makeFolder } from './processes.js'
import { percentile } from './statistics.js'

/** @typedef {import('./report.js').PartRun} PartRun */

const SOME_EVENTS = 10_000
const MANY_EVENTS = 100_000
const STEADY = { events: 50_000, perSecond: 500, seconds: 10 }

/** @type {import('./report.js').Part} */
export const inspector = {
  title: 'Responsiveness of the inspector',
  columns: ['in a browser'],

  async run(partRun) {
    const executablePath = findOrFetchBrowser()
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--js-flags=--expose-gc'],
    })
    const folder = makeFolder()
    try {
      await measureLatency(browser, partRun)
      await measureFirstRow(browser, folder, partRun)
      await measureManyEvents(browser, folder, partRun)
      await measureSteadyStream(browser, folder, partRun)
    } finally {
      await browser.close()
    }
  },
}

/** @returns {Promise<typeof import('../../server/runtime/sandbox.ts').runSandbox>} */
async function loadRunSandbox() {
  return (await import(pathToFileURL(join(root, 'dist', 'server', 'sandbox.js')).href)).runSandbox
}

/**
 * @param {string} db
 * @param {number} events
 */
async function startFilledSandbox(db, events) {
  const runSandbox = await loadRunSandbox()
  await (await runSandbox({ db })).close()
  fillJournal(db, events)
  return runSandbox({ db, keep: 0 })
}

/**
 * @param {string} url
 * @param {string} key
 * @returns {Promise<unknown>}
 */
const call = (url, key) =>
  fetch(`${url}/api/v2/createLink`, {
    method: 'POST',
    headers: { token: key, 'content-type': 'application/json' },
    body: '{"amount":10}',
  })

/** @param {import('playwright-core').Page} page */
const rowCount = (page) =>
  page.evaluate(() => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) - 1)

/**
 * @param {import('playwright-core').Browser} browser
 * @param {PartRun} partRun
 */
async function measureLatency(browser, partRun) {
  const runSandbox = await loadRunSandbox()
  const sandbox = await runSandbox()
  const [account] = await sandbox.accounts()
  const page = await browser.newPage()
  // An empty sandbox shows the first steps instead of the timeline.
  const key = /** @type {{ apiKey: string }} */ (account).apiKey
  await call(sandbox.url, key)
  await page.goto(sandbox.url)
  await page.locator('.rows [role=row]').first().waitFor()

  const times = []
  for (let round = 0; round < 20; round++) {
    // The page records when a row appears, by the clock of this machine.
    await page.evaluate(() => {
      const rows = /** @type {Element} */ (document.querySelector('.rows > div'))
      const seen = new Promise((resolve) => {
        new MutationObserver((_changes, observer) => {
          observer.disconnect()
          resolve(Date.now())
        }).observe(rows, { childList: true })
      })
      Object.assign(globalThis, { seen })
    })
    const started = Date.now()
    await call(sandbox.url, key)
    const seen = await page.evaluate(() => /** @type {any} */ (globalThis).seen)
    times.push(seen - started)
  }
  partRun.addRow({
    what: 'from a call to its row in the timeline, p95',
    measured: percentile(times, 0.95),
    target: { value: 200 },
    unit: 'ms',
  })
  await page.close()
  await sandbox.close()
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} folder
 * @param {PartRun} partRun
 */
async function measureFirstRow(browser, folder, partRun) {
  const sandbox = await startFilledSandbox(join(folder, 'some.db'), SOME_EVENTS)
  const times = []
  for (let round = 0; round < 5; round++) {
    const page = await browser.newPage()
    await page.goto(sandbox.url, { waitUntil: 'commit' })
    const seen = await page.waitForFunction(
      () => document.querySelector('.rows [role=row]') && performance.now(),
    )
    times.push(Number(await seen.jsonValue()))
    await page.close()
  }
  partRun.addRow({
    what: `from opening the page to its first row, ${SOME_EVENTS} events, median`,
    measured: percentile(times, 0.5),
    target: { value: 1_000 },
    unit: 'ms',
  })
  await sandbox.close()
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} folder
 * @param {PartRun} partRun
 */
async function measureManyEvents(browser, folder, partRun) {
  const sandbox = await startFilledSandbox(join(folder, 'many.db'), MANY_EVENTS)
  const page = await browser.newPage()
  await page.goto(sandbox.url)
  await page.waitForFunction(
    (wanted) => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) > wanted,
    MANY_EVENTS * 0.95,
    { polling: 100, timeout: 120_000 },
  )

  const stop = await watchFrames(page)
  await page.evaluate(async () => {
    const grid = /** @type {HTMLElement} */ (document.querySelector('[role=grid]'))
    grid.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }))
    for (let step = 0; step <= 300; step++) {
      grid.scrollTop = grid.scrollHeight * (1 - step / 300)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  const { p95, longest } = await stop()
  partRun.addRow({
    what: `scrolling through ${MANY_EVENTS} events, frame p95`,
    measured: p95,
    target: { value: 34 },
    unit: 'ms',
  })
  partRun.addRow({ what: '… longest task', measured: longest, target: { value: 200 }, unit: 'ms' })

  const painted = await page.evaluate(async () => {
    const field = /** @type {HTMLInputElement} */ (document.querySelector('#filter'))
    const started = performance.now()
    field.value = 'is:failed'
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return performance.now() - started
  })
  partRun.addRow({
    what: `filtering ${MANY_EVENTS} events`,
    measured: painted,
    target: { value: 150 },
    unit: 'ms',
  })
  await page.close()
  await sandbox.close()
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} folder
 * @param {PartRun} partRun
 */
async function measureSteadyStream(browser, folder, partRun) {
  const { events } = STEADY
  const sandbox = await startFilledSandbox(join(folder, 'steady.db'), events)
  const [account] = await sandbox.accounts()
  const key = /** @type {{ apiKey: string }} */ (account).apiKey
  const page = await browser.newPage()
  await page.goto(sandbox.url)
  await page.waitForFunction(
    (wanted) => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) > wanted,
    events,
    { polling: 100, timeout: 120_000 },
  )
  const session = await page.context().newCDPSession(page)
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize
  }
  const [rowsBefore, heapBefore] = [await rowCount(page), await heap()]

  const stop = await watchFrames(page)
  const rate = await callSteadily(sandbox.url, key)
  const { p95, longest } = await stop()
  const added = (await rowCount(page)) - rowsBefore
  partRun.addRow({
    what: `${rate} events a second at ${events}, frame p95`,
    measured: p95,
    target: { value: 20 },
    unit: 'ms',
  })
  partRun.addRow({ what: '… longest task', measured: longest, target: { value: 50 }, unit: 'ms' })
  partRun.addRow({
    what: '… memory for each event',
    measured: ((await heap()) - heapBefore) / (added * 2),
    target: { value: 2_048 },
    unit: 'bytes',
  })
  await page.close()

  // The same load with an empty page shows how much time the machine itself takes.
  const blank = await browser.newPage()
  const stopBlank = await watchFrames(blank)
  await callSteadily(sandbox.url, key)
  partRun.addRow({
    what: '… of an empty page under the same load',
    measured: (await stopBlank()).p95,
    unit: 'ms',
  })
  await blank.close()
  await sandbox.close()
}

/**
 * Sends calls at a steady rate. Each causes two events: the call and its link.
 *
 * @param {string} url
 * @param {string} key
 * @returns {Promise<number>} events per second
 */
async function callSteadily(url, key) {
  const calls = (STEADY.perSecond / 2) * STEADY.seconds
  const started = Date.now()
  for (let sent = 0; sent < calls; sent += 5) {
    await Promise.all(Array.from({ length: 5 }, () => call(url, key)))
    const due = started + ((sent + 5) / calls) * STEADY.seconds * 1_000
    if (due > Date.now()) await new Promise((resolve) => setTimeout(resolve, due - Date.now()))
  }
  return Math.round((calls * 2_000) / (Date.now() - started))
}
