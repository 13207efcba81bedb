/**
 * Shows the current step and how long it takes. A terminal gets one line that changes, other output a new line every 10 s.
 *
 * @param {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stream
 * @param {string} doing
 * @param {number} [everyMs]
 */
export function showProgress(stream, doing, everyMs = stream.isTTY ? 1000 : 10_000) {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  let now = doing

  function show() {
    const line = `${now} (${seconds()} s)`
    // A line that wraps cannot be replaced.
    stream.write(stream.isTTY ? `\r\u001b[K${line.slice(0, (stream.columns || 80) - 1)}` : `${line}\n`)
  }
  const timer = setInterval(show, everyMs)
  if (stream.isTTY) show()

  return {
    /** @param {string} next */
    change(next) {
      if (next === now) return
      now = next
      if (stream.isTTY) show()
    },
    /** @returns the seconds it took */
    end() {
      clearInterval(timer)
      if (stream.isTTY) stream.write('\r\u001b[K')
      return seconds()
    },
  }
}
