/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('./open-sandbox.js').Sandbox} Sandbox
 *
 * @typedef {object} Given
 * @property {Page} page
 * @property {Sandbox} sandbox
 * @property {string} app the origin of an app that receives webhooks
 * @property {string} folder for temporary files
 * @property {import('./closing.js').OnClose} onClose calls a function after the pictures were taken
 *
 * @typedef {object} State
 * @property {string} name the screen and its state, the beginning of the names of its files
 * @property {string | ((given: Given) => string | Promise<string>)} at its path, or its URL
 * @property {'shared' | 'own' | 'empty'} [sandbox] `shared` has the story and must not change. `own` is a copy of it.
 * @property {import('../../server/runtime/config/options.ts').SandboxOptions} [options] of a sandbox that is not shared
 * @property {(given: Given) => unknown} [reach] what the user does after the page was opened
 * @property {boolean} [eachWidth] whether to reach it for each width, because a resized window would leave it
 */

/**
 * Waits for a text.
 *
 * @param {string | RegExp} text
 * @returns {(given: Pick<Given, 'page'>) => Promise<void>}
 */
export const see =
  (text) =>
  ({ page }) =>
    page.getByText(text).filter({ visible: true }).first().waitFor()

/**
 * Clicks a button.
 *
 * @param {string | RegExp} name
 * @returns {(given: Pick<Given, 'page'>) => Promise<void>}
 */
export const press =
  (name) =>
  ({ page }) =>
    page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click()

/**
 * Fills a field.
 *
 * @param {string | RegExp} label
 * @param {string} text
 * @returns {(given: Pick<Given, 'page'>) => Promise<void>}
 */
export const fill =
  (label, text) =>
  ({ page }) =>
    page.getByLabel(label, { exact: true }).filter({ visible: true }).first().fill(text)

/**
 * Presses a key.
 *
 * @param {string} key
 * @returns {(given: Pick<Given, 'page'>) => Promise<void>}
 */
export const hit =
  (key) =>
  ({ page }) =>
    page.keyboard.press(key)

/**
 * Takes several steps.
 *
 * @param {...(given: Given) => unknown} all
 * @returns {(given: Given) => Promise<void>}
 */
export const steps =
  (...all) =>
  async (given) => {
    for (const step of all) await step(given)
  }

/**
 * The path of the newest event of a type with these fields.
 *
 * @param {string} type
 * @param {Record<string, unknown>} [fields]
 * @param {string} [query]
 * @returns {(given: Given) => Promise<string>}
 */
export const atEvent =
  (type, fields, query = '') =>
  async ({ sandbox }) =>
    `/#/timeline/${(await sandbox.findEvent(type, fields)).seq}${query}`
