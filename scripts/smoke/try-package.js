import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPackageIfStale } from '../build-if-stale.js'
import { npm, runCommand } from '../install-package.js'
import { root } from '../run.js'
import { setUp } from '../setup.js'
import { fetchNode, runningNode } from './fetch-node.js'
import { payFromCommandLine, payInTest } from './make-payments.js'
import { fetchPackageManager } from './package-managers.js'

const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`)

/**
 * Installs the package in an empty project, and makes payments there. If the start asks for a command, as it does where
 * the package manager installed no SQLite that fits, runs that command and tries again. Prints how long it took, and how large the
 * installation is.
 *
 * @param {object} options
 * @param {string} [options.node] a version of the npm package `node`: `22`; by default the Node that runs this script
 * @param {string} options.manager
 * @param {string} options.from `tarball`, or `git` for the last commit
 */
export async function tryPackage({ node: version, manager: name, from }) {
  setUp()
  const folder = mkdtempSync(join(tmpdir(), 'paylink-smoke-'))
  try {
    const node = version === undefined ? runningNode() : await fetchNode(version, join(folder, 'node'))
    const manager = await fetchPackageManager(name, join(folder, 'manager'), node)
    const address = from === 'git' ? await cloneBare(folder) : await pack(folder)
    const project = join(folder, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{"private":true}')

    const began = performance.now()
    await manager.add(address, project)
    const installed = performance.now()
    const added = await addWhatIsMissing(() => payInTest(node.program, project), manager, project)
    const ready = performance.now()
    await payFromCommandLine(node.program, project)
    await manager.exec(['paylink-sandbox', '--version'], project)

    const nodeVersion = (await runCommand(node.program, ['--version'], project)).trim()
    print(`Node ${nodeVersion}, ${name}, ${from}: both payments made, and their webhooks delivered.`)
    print(`Installed in ${seconds(began, installed)} s, ${megabytesOf(join(project, 'node_modules'))} MB.`)
    if (added !== undefined) print(`Then needed \`${added}\`: ${seconds(installed, ready)} s.`)
    print(`better-sqlite3 ${sqliteVersions(project).join(', ')}.`)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Makes a payment. If SQLite is missing, runs the command that the error asks for, and tries again. Returns that command.
 *
 * @param {() => Promise<void>} pay
 * @param {Awaited<ReturnType<typeof fetchPackageManager>>} manager
 * @param {string} project
 */
async function addWhatIsMissing(pay, manager, project) {
  try {
    await pay()
    return undefined
  } catch (error) {
    const command = /SQLite cannot be loaded: .* run `(.*)` in /.exec(String(error))?.[1]
    if (command === undefined) throw error
    const [, ...args] = command.split(' ')
    await manager.run(args, project)
    await pay()
    return command
  }
}

/** @param {string} folder */
async function pack(folder) {
  buildPackageIfStale()
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? ''
  return join(folder, tarball)
}

/** @param {string} folder */
async function cloneBare(folder) {
  const clone = join(folder, 'clone.git')
  await runCommand('git', ['clone', '--quiet', '--bare', root, clone], folder)
  return `git+${pathToFileURL(clone)}`
}

/**
 * @param {number} from
 * @param {number} to
 */
const seconds = (from, to) => ((to - from) / 1000).toFixed(1)

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** @param {string} folder */
const megabytesOf = (folder) =>
  (filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0) / 1e6).toFixed(1)

/** @param {string} project */
const sqliteVersions = (project) =>
  filesIn(join(project, 'node_modules'))
    .filter((file) => file.endsWith(join(`${sep}node_modules`, 'better-sqlite3', 'package.json')))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')).version)
