import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findOrFetchBrowser } from '../find-browser.js'
import { DESKTOP_WIDTH, sizeOf } from './choose-pictures.js'
import { withClosing } from './closing.js'
import { openStory } from './open-story.js'

/** @typedef {import('./state.js').State} State */
/** @typedef {import('playwright-core').Page} Page */

const MAX_HEIGHT = 3_000
const PHONE_WIDTH = 500
/** Checks of an app take long on a busy machine. */
const REACH_TIMEOUT_MS = 60_000
const PAGES_AT_ONCE = 3

/**
 * Takes pictures of the inspector, the checkout and the documents in all states.
 *
 * @param {string} folder
 * @param {ReturnType<typeof import('./choose-pictures.js').choosePictures>} choice
 */
export async function takeAll(folder, { states, themes, ...choice }) {
  const widths = choice.widths.toSorted((one, other) => other - one)
  /** @type {string[]} */
  const problems = []
  const began = performance.now()
  let pictures = 0
  const executablePath = findOrFetchBrowser()
  mkdirSync(folder, { recursive: true })
  await withClosing(takeStates)
  const seconds = Math.round((performance.now() - began) / 1_000)
  process.stdout.write(`${pictures} pictures of ${states.length} states in ${folder}, after ${seconds} s\n`)
  for (const problem of problems) process.stderr.write(`Not reached: ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1

  /** @param {import('./closing.js').OnClose} onClose */
  async function takeStates(onClose) {
    const story = await openStory(onClose)
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu'],
    })
    onClose(() => browser.close())

    const queue = [...states]
    let done = 0
    await Promise.all(
      Array.from({ length: PAGES_AT_ONCE }, async () => {
        for (let state = queue.shift(); state; state = queue.shift()) {
          const { name, eachWidth = false } = state
          process.stderr.write(`${done} of ${states.length}: ${name}\n`)
          for (const some of eachWidth ? widths.map((width) => [width]) : [widths]) {
            try {
              await withClosing((onStateClose) => takeState(state, some, onStateClose))
            } catch (error) {
              const [reason] = String(error).split('\n')
              problems.push(`${name}${eachWidth ? ` at ${some}` : ''}: ${reason}`)
            }
          }
          done += 1
        }
      }),
    )

    /**
     * @param {State} state
     * @param {readonly number[]} some widths
     * @param {import('./closing.js').OnClose} onStateClose
     */
    async function takeState(state, some, onStateClose) {
      const { name, eachWidth } = state
      const [first = DESKTOP_WIDTH] = eachWidth ? some : []
      const context = await browser.newContext({
        viewport: sizeOf(first),
        timezoneId: 'Europe/Berlin',
        locale: 'en',
        reducedMotion: 'reduce',
      })
      onStateClose(() => context.close())
      context.setDefaultTimeout(REACH_TIMEOUT_MS)
      const page = await context.newPage()
      await story.reach(state, page, onStateClose)
      const devtools = await context.newCDPSession(page)
      for (const width of some) {
        await resize(page, devtools, width)
        for (const theme of themes) {
          if (theme === 'forced' && width !== DESKTOP_WIDTH) continue
          await setTheme(page, theme)
          await page.screenshot({
            animations: 'disabled',
            path: join(folder, `${name}-${width}-${theme}.png`),
          })
          pictures += 1
        }
      }
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
  // A phone has no precise pointer. Chromium does not restore the pointer afterwards, so phones come last.
  if (width < PHONE_WIDTH) await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const { height } = sizeOf(width)
  await page.setViewportSize({ width, height })
  const hidden = await page.evaluate(heightBeyondWindow)
  if (hidden > 0) await page.setViewportSize({ width, height: Math.min(MAX_HEIGHT, height + hidden) })
  await page.evaluate(heightBeyondWindow)
}

/**
 * How many pixels the window lacks in height. What is below a dialog does not count. Runs in the page, after it was rendered.
 * Toasts stay open.
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
