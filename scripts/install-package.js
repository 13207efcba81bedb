import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from './run.js'

const NAME = 'paylink-sandbox'

/** The projects in `fixtures/` that users may copy. */
const PROJECTS = [
  'shop',
  'shops',
  ...readdirSync(join(root, 'fixtures', 'recipes')).map((name) => join('recipes', name)),
]

/** Further packages that tests need. TypeScript 5.0 is the oldest version that the declarations compile with. */
const TEST_DEPENDENCIES = {
  'happy-dom': '^21.0.4',
  jsdom: '^29.1.1',
  sinon: '^22.1.0',
  'typescript-5.0': 'npm:typescript@~5.0.4',
}

/**
 * Packs the built package and installs it in an empty folder, with the recipes, the shops and their dependencies, as a user
 * would who copies them.
 *
 * With `compiles`, npm compiles SQLite or downloads it. Otherwise the compiled SQLite of this project is copied.
 *
 * @param {string} folder
 * @param {{ compiles: boolean }} options
 */
export async function installPackage(folder, { compiles }) {
  await runCommand(process.execPath, ['scripts/write-declarations.js'], root)
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
  const tarball = /** @type {string} */ (readdirSync(folder).find((file) => file.endsWith('.tgz')))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), null, 2))
  const flags = ['--no-audit', '--no-fund', ...(compiles ? [] : ['--ignore-scripts'])]
  // The recipes tell readers to install the package file like this.
  await npm(['install', '--save-dev', `./${tarball}`, ...flags], folder)
  if (!compiles) await copySqlite(folder)
  for (const project of PROJECTS)
    cpSync(join(root, 'fixtures', project), join(folder, project), { recursive: true })
}

/** Returns the package.json for the folder: the dependencies of all projects, without the package itself. */
function manifest() {
  const { typescript } = readJson(join(root, 'package.json')).devDependencies
  const manifests = PROJECTS.map((project) => join(root, 'fixtures', project, 'package.json'))
  const needed = manifests.filter(existsSync).map(readJson)
  const all = needed.flatMap(({ dependencies, devDependencies }) => [dependencies, devDependencies])
  const { [NAME]: _package, ...dependencies } = Object.assign({ typescript, ...TEST_DEPENDENCIES }, ...all)
  return { private: true, type: 'module', dependencies }
}

/** @param {string} folder */
async function copySqlite(folder) {
  const place = join('node_modules', 'better-sqlite3')
  const [ours, theirs] = [root, folder].map((base) => readJson(join(base, place, 'package.json')).version)
  // Version 13 contains its binaries.
  if (!theirs.startsWith('12.')) return
  if (ours === theirs) cpSync(join(root, place, 'build'), join(folder, place, 'build'), { recursive: true })
  else await npm(['rebuild', 'better-sqlite3'], folder)
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [more] more environment variables
 * @param {string} [node] the Node that runs npm, and that native modules are built for
 * @returns {Promise<string>} what npm wrote to stdout
 */
export async function npm(args, cwd, more = {}, node = process.execPath) {
  const path = process.env.npm_execpath
  return path?.endsWith('.js')
    ? runCommand(node, [path, ...args], cwd, more)
    : runCommand('npm', args, cwd, more)
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [more]
 * @returns {Promise<string>} what it wrote to stdout
 */
export async function runCommand(file, args, cwd, more = {}) {
  // Variables of a test runner or of `npm run` would change how npm behaves.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$)/.test(name)),
  )
  const shell = process.platform === 'win32' && file === 'npm'
  const child = spawn(file, args, { cwd, env: { ...env, ...more }, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  const [[status], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} failed in ${cwd}:\n${stdout}\n${stderr}`)
  return stdout
}
