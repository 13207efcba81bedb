import { appendFileSync } from 'node:fs'

// What the runner of GitHub Actions tells an action, and what the action tells the runner.

/**
 * @param {string} name
 * @returns {string}
 */
export const input = (name) => process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? ''

/** The input `flags`, split at spaces. */
export const flags = () => input('flags').split(/\s+/).filter(Boolean)

/**
 * @param {'GITHUB_OUTPUT' | 'GITHUB_ENV' | 'GITHUB_STATE'} file
 * @param {Readonly<Record<string, string>>} values
 */
export function writeValues(file, values) {
  for (const [name, value] of Object.entries(values)) writeText(file, `${name}=${value}\n`)
}

/**
 * @param {'GITHUB_OUTPUT' | 'GITHUB_ENV' | 'GITHUB_STATE' | 'GITHUB_STEP_SUMMARY'} file
 * @param {string} text
 */
export const writeText = (file, text) => appendFileSync(process.env[file] ?? '', text)

/**
 * Shows a message above the log of the job.
 *
 * @param {'error' | 'warning'} severity
 * @param {string} message
 */
export function annotate(severity, message) {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::${severity} title=paylink-sandbox::${escaped}`)
}

/**
 * `fetch` says what went wrong only in the cause.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${messageOf(error.cause)}`
}
