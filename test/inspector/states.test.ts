import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sizeOf } from '../../scripts/screenshot/choose-pictures.js'
import { withClosing } from '../../scripts/screenshot/closing.js'
import { openStory } from '../../scripts/screenshot/open-story.js'
import { states } from '../../scripts/screenshot/states/index.js'
import { LIGHT_DARK_AND_FORCED, violationsIn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { sized } from '../support/size.ts'

/** The states to check here. Each has parts or colors that no other state has. */
const CHOSEN = [
  'timeline-empty',
  'timeline-unknown-term',
  'timeline-suggestions',
  'timeline-paused',
  'timeline-row-menu',
  'event-unknown',
  'event-webhook-attempts',
  'event-webhook-request',
  'payment-unknown',
  'replay-unchanged',
  'help-open',
  'scenarios',
  'held-filled',
  'request-failed',
]

/** The fields that make a phone zoom in, because their text is smaller than 16 pixels. */
const fieldsThatZoom = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('input:not([type=radio], [type=checkbox]), select, textarea')]
      .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML),
  )

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const chosen = states.filter(({ name }) => CHOSEN.includes(name))

// Colors hardly depend on the width, so the phone has no forced colors.
const schemes = sized({
  full: { window: LIGHT_DARK_AND_FORCED, phone: LIGHT_DARK_AND_FORCED.slice(0, 2) },
  small: { window: LIGHT_DARK_AND_FORCED.slice(0, 1), phone: LIGHT_DARK_AND_FORCED.slice(1, 2) },
})

let story: Awaited<ReturnType<typeof openStory>>
const closing: (() => unknown)[] = []
beforeAll(async () => {
  story = await openStory((close) => closing.unshift(close))
})
afterAll(async () => {
  for (const close of closing) await close()
})

/** `npm run screenshot -- --all <folder>` takes pictures of the same states. */
test.each(chosen.map((state) => [state.name, state] as const))(
  'the state %s is accessible in a window',
  (_name, state) =>
    withClosing(async (onClose) => {
      const page = await openPage({ viewport: sizeOf(1440), locale: 'en', timezoneId: 'Europe/Berlin' })
      await story.reach(state, page, onClose)

      const violations = await violationsIn(schemes.window, page)

      expect({ overflow: await overflowOf(page), violations }).toEqual({ overflow: 0, violations: [] })
    }),
)

test.each(chosen.map((state) => [state.name, state] as const))(
  'the state %s is accessible on a phone',
  (_name, state) =>
    withClosing(async (onClose) => {
      const page = await openPage({ viewport: sizeOf(390), hasTouch: true, locale: 'en' })
      await story.reach(state, page, onClose)

      const violations = await violationsIn(schemes.phone, page)

      expect({
        overflow: await overflowOf(page),
        smallFields: await fieldsThatZoom(page),
        violations,
      }).toEqual({ overflow: 0, smallFields: [], violations: [] })
    }),
)

test('each of the states that are checked exists', () => {
  expect(chosen.map(({ name }) => name).toSorted()).toEqual(CHOSEN.toSorted())
})
