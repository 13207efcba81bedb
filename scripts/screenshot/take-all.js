import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findOrFetchBrowser } from '../find-browser.js'
import { showProgress } from '../progress.js'
import { openSandbox } from './open-sandbox.js'
import { startReceiver } from './start-receiver.js'
import { eventStates } from './states/events.js'
import { pageStates } from './states/pages.js'
import { paymentStates } from './states/payments.js'
import { resendStates } from './states/resend.js'
import { sandboxStates } from './states/sandbox.js'
import { settingStates } from './states/settings.js'
import { shellStates } from './states/shell.js'
import { timelineStates } from './states/timeline.js'
import { writeStory } from './story.js'

/** @typedef {import('./state.js').State} State */
/** @typedef {import('playwright-core').Page} Page */

/** @type {readonly State[]} */
const states = [
  ...timelineStates,
  ...eventStates,
  ...resendStates,
  ...paymentStates,
  ...settingStates,
  ...sandboxStates,
  ...shellStates,
  ...pageStates,
]

/** The widths that are tested, with the heights of common windows. */
const HEIGHTS = /** @type {Record<number, number>} */ ({
  390: 844,
  720: 1000,
  1024: 768,
  1440: 900,
  1920: 1080,
})
const MAX_HEIGHT = 3_000
const PHONE_WIDTH = 500
const DESKTOP_WIDTH = 1440
const REACH_TIMEOUT_MS = 15_000
const PAGES_AT_ONCE = 3

/** @param {number} width */
const sizeOf = (width) => ({ width, height: HEIGHTS[width] ?? 900 })

export const allWidths = Object.keys(HEIGHTS).map(Number)
export const allThemes = ['light', 'dark', 'forced']

/**
 * Takes pictures of all states of the inspector, the checkout and the documents.
 *
 * @param {{ folder: string, only: readonly string[], widths: readonly number[], themes: readonly string[] }} options
 */
export async function takeAll({ folder, only, widths: wantedWidths, themes }) {
  const widths = wantedWidths.toSorted((one, other) => other - one)
  const wanted = states.filter(({ name }) => only.some((text) => name.includes(text)))
  mkdirSync(folder, { recursive: true })
  const temporary = mkdtempSync(join(tmpdir(), 'paylink-screenshot-'))
  const progress = showProgress(process.stderr, 'Writing the story')
  const app = await startReceiver()
  const story = join(temporary, 'story')
  mkdirSync(story)
  await writeStory(join(story, 'sandbox.db'), app.origin)
  const shared = await openCopy('shared')
  const browser = await chromium.launch({
    executablePath: findOrFetchBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  /** @type {string[]} */
  const problems = []
  let [pictures, done] = [0, 0]

  const queue = [...wanted]
  await Promise.all(
    Array.from({ length: PAGES_AT_ONCE }, async () => {
      for (let state = queue.shift(); state; state = queue.shift()) {
        const { name, eachWidth = false } = state
        progress.change(`${done} of ${wanted.length}: ${name}`)
        for (const some of eachWidth ? widths.map((width) => [width]) : [widths]) {
          try {
            await takeState(state, some)
          } catch (error) {
            const [reason] = String(error).split('\n')
            problems.push(`${name}${eachWidth ? ` at ${some}` : ''}: ${reason}`)
          }
        }
        done += 1
      }
    }),
  )
  await browser.close()
  await shared.close()
  app.close()
  rmSync(temporary, { recursive: true, force: true })
  const seconds = progress.end()
  process.stdout.write(`${pictures} pictures of ${wanted.length} states in ${folder}, after ${seconds} s\n`)
  for (const problem of problems) process.stderr.write(`Not reached: ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1

  /** @param {string} name */
  function openCopy(name, options = {}) {
    const copy = join(temporary, name)
    cpSync(story, copy, { recursive: true })
    return openSandbox({ port: 0, db: join(copy, 'sandbox.db'), ...options })
  }

  /**
   * @param {State} state
   * @param {readonly number[]} some widths
   */
  async function takeState({ name, at, sandbox: kind = 'shared', options, reach, eachWidth }, some) {
    const [first = DESKTOP_WIDTH] = eachWidth ? some : []
    /** @type {(() => unknown)[]} */
    const closing = []
    const onClose = (/** @type {() => unknown} */ close) => void closing.unshift(close)
    const context = await browser.newContext({
      viewport: sizeOf(first),
      timezoneId: 'Europe/Berlin',
      locale: 'en',
      reducedMotion: 'reduce',
    })
    onClose(() => context.close())
    try {
      context.setDefaultTimeout(REACH_TIMEOUT_MS)
      const page = await context.newPage()
      const sandbox =
        kind === 'shared'
          ? shared
          : kind === 'own'
            ? await openCopy(`${name}-${first}`, options)
            : await openSandbox({ port: 0, db: ':memory:', ...options })
      if (kind !== 'shared') onClose(() => sandbox.close())
      const given = { page, sandbox, app: app.origin, folder: temporary, onClose }
      const address = typeof at === 'string' ? at : await at(given)
      await page.goto(address.startsWith('/') ? sandbox.url + address : address)
      await reach?.(given)
      await page.mouse.move(0, 0)
      const devtools = await context.newCDPSession(page)
      for (const width of some) {
        await resize(page, devtools, width)
        for (const theme of themes) {
          // Colours that the system forces hardly depend on the width.
          if (theme === 'forced' && width !== DESKTOP_WIDTH) continue
          await setTheme(page, theme)
          await page.screenshot({
            animations: 'disabled',
            path: join(folder, `${name}-${width}-${theme}.png`),
          })
          pictures += 1
        }
      }
    } finally {
      for (const close of closing) await close()
    }
  }
}

/**
 * @param {Page} page
 * @param {string} theme
 */
function setTheme(page, theme) {
  return page.emulateMedia({
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    forcedColors: theme === 'forced' ? 'active' : 'none',
  })
}

/**
 * Resizes the window, so that what would scroll is visible as a whole. Lists and menus may still scroll.
 *
 * @param {Page} page
 * @param {import('playwright-core').CDPSession} devtools
 * @param {number} width
 */
async function resize(page, devtools, width) {
  // A phone has no fine pointer. Chromium has none afterwards either, so phones come last.
  if (width < PHONE_WIDTH) await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const { height } = sizeOf(width)
  await page.setViewportSize({ width, height })
  const hidden = await page.evaluate(heightBeyondWindow)
  if (hidden > 0) await page.setViewportSize({ width, height: Math.min(MAX_HEIGHT, height + hidden) })
  await page.evaluate(heightBeyondWindow)
}

/**
 * How much higher the window must be. Below a dialog, nothing matters. Runs in the page, after it was rendered. Toasts stay
 * open.
 */
async function heightBeyondWindow() {
  for (const toast of document.querySelectorAll('.toast'))
    toast.dispatchEvent(new PointerEvent('pointerenter'))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const dialog = document.querySelector('dialog:modal')
  const shown = dialog ? [dialog, ...dialog.querySelectorAll('*')] : [...document.querySelectorAll('*')]
  const scrolling = shown.filter(
    (element) =>
      element.scrollHeight > element.clientHeight &&
      (element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowY)) &&
      !element.closest('[role=grid], [role=listbox], [popover], pre, textarea'),
  )
  return Math.max(0, ...scrolling.map((element) => element.scrollHeight - element.clientHeight))
}
