import { fail } from '../run.js'
import { states } from './states/index.js'

/** The widths that are tested, with the heights of common windows. */
const HEIGHTS = /** @type {Record<number, number>} */ ({
  390: 844,
  720: 1000,
  1024: 768,
  1440: 900,
  1920: 1080,
})
const THEMES = ['light', 'dark', 'forced']

/** Forced colors hardly depend on the width, so pictures with them are taken only at this width. */
export const DESKTOP_WIDTH = 1440

/** @param {number} width */
export const sizeOf = (width) => ({ width, height: HEIGHTS[width] ?? 900 })

/**
 * Reads the flags that choose pictures. Wrong values, and a choice without a picture, print the reason and exit with 2.
 *
 * @param {{ only?: string, widths?: string, themes?: string }} flags
 */
export function choosePictures(flags) {
  const only = flags.only?.split(',')
  const widths = flags.widths?.split(',') ?? Object.keys(HEIGHTS)
  const themes = flags.themes?.split(',') ?? THEMES
  if (only?.includes('')) fail(`--only must be texts like event,compare, not ${flags.only}.`)
  if (!widths.every((width) => /^[1-9]\d{0,3}$/.test(width)))
    fail(`--widths must be whole numbers like 390,1440, not ${flags.widths}.`)
  if (!themes.every((theme) => THEMES.includes(theme)))
    fail(`--themes must be some of ${THEMES.join(',')}, not ${flags.themes}.`)
  if (!widths.includes(`${DESKTOP_WIDTH}`) && themes.every((theme) => theme === 'forced'))
    fail(
      `Forced colors are taken at ${DESKTOP_WIDTH} only. Add it to --widths, or light or dark to --themes.`,
    )

  const chosen = states.filter(({ name }) => !only || only.some((text) => name.includes(text)))
  if (chosen.length === 0)
    fail(`No state has ${only?.join(' or ')} in its name. The files in scripts/screenshot/states/ list them.`)
  return { states: chosen, widths: widths.map(Number), themes }
}
