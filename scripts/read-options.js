import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fail } from './run.js'

/**
 * @typedef {object} Flag
 * @property {'number' | 'string' | 'boolean'} type a number is a whole number above 0
 * @property {string} text what it does, for `--help`
 * @property {string} [value] what its value is, for `--help`: `file`
 */

/** A random seed for a run. The run prints it, so that `--seed` can repeat the run. */
export const randomSeed = () => randomInt(1, 1_000_000_000)

/**
 * Reads the flags of a script from the command line. `--help` prints them and exits with 0. A wrong flag or operand prints
 * the reason and exits with 2.
 *
 * @template {Record<string, Flag>} const Flags
 * @param {object} script
 * @param {string} script.command how to call it: `npm run fuzz --`
 * @param {string} script.text what it does
 * @param {Flags} script.flags
 * @param {readonly string[]} [script.operands] the names that may follow
 * @returns {{ [Name in keyof Flags]?: { number: number, string: string, boolean: boolean }[Flags[Name]['type']] } & { operands: string[] }}
 */
export function readOptions({ command, text, flags, operands = [] }) {
  const { values, positionals } = parse(command, flags)
  if (values.help) {
    process.stdout.write(helpText({ command, text, flags, operands }))
    process.exit(0)
  }
  const unknown = positionals.find((name) => !operands.includes(name))
  if (unknown !== undefined) {
    fail(
      operands.length === 0
        ? `${unknown} is not a flag. Run \`${command} --help\`.`
        : `There is no ${unknown}. Available: ${operands.join(', ')}.`,
    )
  }
  for (const [name, { type }] of Object.entries(flags)) {
    const value = values[name]
    if (type !== 'number' || value === undefined) continue
    if (!/^[1-9]\d{0,8}$/.test(String(value))) fail(`--${name} must be a whole number above 0, not ${value}.`)
    values[name] = Number(value)
  }
  return /** @type {any} */ ({ ...values, operands: positionals })
}

/**
 * @param {string} command
 * @param {Record<string, Flag>} flags
 * @returns {{ values: Record<string, unknown>, positionals: string[] }}
 */
function parse(command, flags) {
  const options = Object.fromEntries(
    Object.entries({ ...flags, help: { type: 'boolean' } }).map(([name, { type }]) => [
      name,
      { type: type === 'boolean' ? /** @type {const} */ ('boolean') : /** @type {const} */ ('string') },
    ]),
  )
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('. ')
    return fail(`${reason}. Run \`${command} --help\`.`)
  }
}

/** @param {{ command: string, text: string, flags: Record<string, Flag>, operands: readonly string[] }} script */
function helpText({ command, text, flags, operands }) {
  const lines = Object.entries(flags).map(([name, flag]) => {
    const usage = flag.type === 'boolean' ? `--${name}` : `--${name} <${flag.value ?? flag.type}>`
    return `  ${usage.padEnd(20)} ${flag.text}\n`
  })
  const names = operands.length === 0 ? '' : `\nNames: ${operands.join(', ')}\n`
  return `${command}${operands.length === 0 ? '' : ' [<name>…]'} [flags]\n\n${text}\n${names}\n${lines.join('')}`
}
