import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.js'

/** The folders below test/ that have tests. */
export const testAreas = readdirSync(join(root, 'test'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'support')
  .map(({ name }) => name)

/**
 * Turns the arguments of `npm test` into those of Vitest: the name of an area becomes the path of its folder. Flags, their
 * values and paths stay the same.
 *
 * @param {readonly string[]} args
 * @returns {{ args: string[] } | { problem: string }}
 */
export function toVitestArgs(args) {
  const unknown = args.find((arg, index) => isWord(arg, args[index - 1]) && !testAreas.includes(arg))
  if (unknown !== undefined) {
    return {
      problem: `There is no folder test/${unknown}. Name one of these areas: ${testAreas.join(', ')}.`,
    }
  }
  return { args: args.map((arg, index) => (isWord(arg, args[index - 1]) ? `test/${arg}/` : arg)) }
}

/**
 * Whether an argument is a plain word and not the value of a flag such as `-t`.
 *
 * @param {string} arg
 * @param {string | undefined} before
 */
const isWord = (arg, before) => /^[\w-]+$/.test(arg) && !arg.startsWith('-') && !before?.startsWith('-')
