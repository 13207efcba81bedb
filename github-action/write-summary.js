import { appendFileSync } from 'node:fs'
import { readSandbox } from './read-sandbox.js'

// Writes payments, failures and open points to the summary of the job. It contains no text that an app sent.

/**
 * @typedef {{ text: string, count: number }} Counted
 * @typedef {{ run: { outcomes: Counted[], operations: { name: string, count: number }[], openPoints: { name: string, reference: string }[] } }} Info
 * @typedef {{ severity: string, code: string, title: string, fix: string }} Diagnostic
 */

const { run } = /** @type {Info} */ (await (await readSandbox('/info')).json())
const { diagnostics } = /** @type {{ diagnostics: Diagnostic[] }} */ (
  await (await readSandbox('/diagnostics?limit=1000')).json()
)

const calls = run.operations.reduce((sum, { count }) => sum + count, 0)
const outcomes = run.outcomes.filter(({ count }) => count > 0)
/** @type {Map<string, Diagnostic[]>} */
const found = new Map()
for (const one of diagnostics) found.set(one.code, [...(found.get(one.code) ?? []), one])

appendFileSync(
  process.env.GITHUB_STEP_SUMMARY ?? '',
  [
    '## Payments in the sandbox',
    '',
    `${calls} API calls.`,
    '',
    ...list(
      'Outcomes',
      outcomes.map(({ text, count }) => `${text}: ${count}`),
    ),
    ...list(
      'Mistakes that the sandbox found',
      [...found.values()].map(([first, ...more]) =>
        first === undefined
          ? ''
          : `${first.severity} \`${first.code}\`, ${more.length + 1} times: ${first.title}. ${first.fix}`,
      ),
    ),
    ...list(
      'What the run depended on, and the API reference leaves open. Confirm with the provider',
      run.openPoints.map(({ name, reference }) => `\`${name}\`: ${reference}`),
    ),
  ].join('\n'),
)

/**
 * @param {string} title
 * @param {string[]} rows
 */
function list(title, rows) {
  return [`### ${title}`, '', ...(rows.length === 0 ? ['None.'] : rows.map((row) => `- ${row}`)), '']
}
