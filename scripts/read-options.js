import { parseArgs } from 'node:util'
import { randomInt } from 'node:crypto'
import { fail } from './run.js'

/** A seed that can be given again. */
export const randomSeed = () => randomInt(1, 1_000_000_000)

/**
 * The options that a script was given: numbers, texts and switches.
 *
 * @template {string} Count
 * @template {string} [Text=never]
 * @template {string} [Switch=never]
 * @param {readonly Count[]} numbers
 * @param {readonly Text[]} [texts]
 * @param {readonly Switch[]} [switches]
 * @returns {Partial<Record<Count, number> & Record<Text, string> & Record<Switch, boolean>>}
 */
export function readOptions(numbers, texts = [], switches = []) {
  try {
    const parsed = parseArgs({
      options: Object.fromEntries([
        ...[...numbers, ...texts].map((name) => [name, { type: /** @type {const} */ ('string') }]),
        ...switches.map((name) => [name, { type: /** @type {const} */ ('boolean') }]),
      ]),
    })
    /** @type {Record<string, unknown>} */
    const values = parsed.values
    for (const name of numbers) {
      const text = values[name]
      if (text === undefined) continue
      if (!/^[1-9]\d{0,8}$/.test(String(text)))
        fail(`--${name} should be a whole number above 0, not ${text}.`)
      values[name] = Number(text)
    }
    return /** @type {any} */ (values)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
