import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './run.js'

/** The folders of tests, by their names: those below test/, and those in them, such as test/service/api. */
const folders = new Map([...foldersIn('test').flatMap(foldersIn), ...foldersIn('test')].map(toEntry))

export const testAreas = [...folders.keys()].toSorted()

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
      problem: `There is no folder ${unknown} in test/. Name one of these areas: ${testAreas.join(', ')}.`,
    }
  }
  return { args: args.map((arg, index) => (isWord(arg, args[index - 1]) ? `${folders.get(arg)}/` : arg)) }
}

/**
 * Whether an argument is a plain word and not the value of a flag such as `-t`.
 *
 * @param {string} arg
 * @param {string | undefined} before
 */
const isWord = (arg, before) => /^[\w-]+$/.test(arg) && !arg.startsWith('-') && !before?.startsWith('-')

/** @param {string} folder */
function foldersIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'support')
    .map(({ name }) => `${folder}/${name}`)
}

/**
 * @param {string} folder
 * @returns {[string, string]}
 */
function toEntry(folder) {
  return [basename(folder), folder]
}
