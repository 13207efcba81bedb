/**
 * @typedef {(close: () => unknown) => void} OnClose calls a function at the end
 */

/**
 * Runs a function, then closes what it opened, the newest first. Everything is closed even after an error.
 *
 * @param {(onClose: OnClose) => Promise<void>} use
 */
export async function withClosing(use) {
  /** @type {(() => unknown)[]} */
  const closing = []
  /** @type {unknown[]} */
  const errors = []
  /** @param {() => unknown} step */
  const attempt = async (step) => {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  await attempt(() => use((close) => void closing.unshift(close)))
  for (const close of closing) await attempt(close)
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1)
    throw new AggregateError(errors, errors.map((error) => String(error).split('\n')[0]).join('; '))
}
