/** One cause often makes many lines. */
const MAX_PRINTED = 50

/**
 * Prints the first problems of a run, and how many more there are.
 *
 * @param {NodeJS.WritableStream} out
 * @param {readonly string[]} problems
 */
export function printProblems(out, problems) {
  for (const line of problems.slice(0, MAX_PRINTED)) out.write(`✕ ${line}\n`)
  if (problems.length > MAX_PRINTED) out.write(`✕ and ${problems.length - MAX_PRINTED} more\n`)
}
