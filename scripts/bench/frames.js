import { percentile } from './statistics.js'

/**
 * Measures the frames and long tasks of a page, in the page. Returns a function that stops and returns the result.
 *
 * @param {import('playwright-core').Page} page
 */
export async function watchFrames(page) {
  await page.evaluate(() => {
    const watch = { gaps: /** @type {number[]} */ ([]), longest: 0, isOver: false }
    Object.assign(globalThis, { watch })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longest = Math.max(watch.longest, duration)
    }).observe({ type: 'longtask' })
    let before = performance.now()
    requestAnimationFrame(function onFrame() {
      const now = performance.now()
      watch.gaps.push(now - before)
      before = now
      if (!watch.isOver) requestAnimationFrame(onFrame)
    })
  })
  return async () => {
    const { gaps, longest } = await page.evaluate(() => {
      const { watch } = /** @type {any} */ (globalThis)
      watch.isOver = true
      return watch
    })
    return { p95: percentile(gaps, 0.95), longest }
  }
}
