import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The runner starts this file with a Node of its own. `node` and `npm` are those of the job, because SQLite is
// compiled for one version of Node.

const source = fileURLToPath(new URL('..', import.meta.url))

/**
 * Installs the sandbox, and returns the file of its command line.
 *
 * @param {string} folder
 * @param {string} version
 */
export function install(folder, version) {
  if (version === 'source') return buildSource()
  // npm reads the version from a file, because arguments pass through a shell on Windows.
  const dependencies = { 'paylink-sandbox': version }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  npm(['install', '--no-audit', '--no-fund'], folder, `paylink-sandbox ${version} could not be installed.`)
  const installed = join(folder, 'node_modules', 'paylink-sandbox')
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  return join(installed, bin['paylink-sandbox'])
}

/** The files of an action are those of its repository, without dependencies and without a build. */
function buildSource() {
  run('node', ['scripts/start.js', '--version'], source, 'The sandbox could not be built.')
  return join(source, 'dist', 'server', 'cli.js')
}

/**
 * @param {readonly string[]} args without spaces and special characters
 * @param {string} cwd
 * @param {string} failure
 */
const npm = (args, cwd, failure) => run('npm', args, cwd, failure, process.platform === 'win32')

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {string} failure
 * @param {boolean} [shell]
 */
function run(program, args, cwd, failure, shell = false) {
  const { status, error } = spawnSync(program, args, { cwd, shell, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) throw new Error(`${failure} ${program} cannot be run: ${error.message}. ${ADD_NODE}`)
  if (status !== 0) throw new Error(`${failure} The output of ${program} in the log of this step says why.`)
}

const ADD_NODE = 'Add a step with actions/setup-node before this one.'
