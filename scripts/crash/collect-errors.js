/**
 * Takes the lines that a sandbox wrote to stderr. Each is a problem.
 *
 * @param {{ errors: string[] }} sandbox
 * @param {string[]} problems
 */
export function collectErrors({ errors }, problems) {
  problems.push(...errors.splice(0).map((line) => `stderr: ${line}`))
}
