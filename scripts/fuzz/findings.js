/**
 * @typedef {object} Finding
 * @property {string} what
 * @property {string} where seed and number of the request
 * @property {string} command a shell command that sends the smallest failing request
 */

/**
 * Collects what is wrong, once for each kind.
 *
 * @param {(line: string) => void} progress
 */
export function createFindings(progress) {
  /** @type {Map<string, Finding>} */
  const findings = new Map()

  return {
    count: () => findings.size,
    list: () => [...findings.values()],
    /**
     * @param {string} what
     * @param {string} where
     * @param {string} [command]
     */
    add(what, where, command = '') {
      // One finding of each kind is enough. Findings of one kind differ in numbers and quoted texts.
      const kind = what.replaceAll(/\d+|"[^"]*"/g, '…').slice(0, 120)
      if (!findings.has(kind)) progress(`✕ ${what}\n  ${where}\n  ${command.slice(0, 2_000)}`)
      findings.set(kind, { what, where, command })
    },
  }
}
