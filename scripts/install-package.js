import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from './run.js'

const NAME = 'paylink-sandbox'

/** What can be copied out of `fixtures/`. */
const PROJECTS = [
  'shop',
  'shops',
  ...readdirSync(join(root, 'fixtures', 'recipes')).map((name) => join('recipes', name)),
]

/**
 * Packs what is built, and installs it in an empty folder with everything that the recipes and the shops need, which are
 * copied there: as one who installs the package and copies them has it.
 *
 * SQLite is taken over from this project, where it was compiled when that was set up, unless it `compiles`.
 *
 * @param {string} folder
 * @param {{ compiles?: boolean }} [options]
 */
export async function installPackage(folder, { compiles = false } = {}) {
  await runCommand(process.execPath, ['scripts/write-declarations.js'], root)
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(folder), null, 2))
  await npm(['install', '--no-audit', '--no-fund', ...(compiles ? [] : ['--ignore-scripts'])], folder)
  if (!compiles) await copySqlite(folder)
  for (const project of PROJECTS)
    cpSync(join(root, 'fixtures', project), join(folder, project), { recursive: true })
}

/**
 * What all of them need together, with the tarball in the place of the package.
 *
 * @param {string} folder
 */
function manifest(folder) {
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  const { typescript } = readJson(join(root, 'package.json')).devDependencies
  const manifests = PROJECTS.map((project) => join(root, 'fixtures', project, 'package.json'))
  const needed = manifests.filter(existsSync).map(readJson)
  return {
    private: true,
    type: 'module',
    dependencies: Object.assign(
      { typescript },
      ...needed.flatMap(({ dependencies, devDependencies }) => [dependencies, devDependencies]),
      { [NAME]: `file:${tarball}` },
    ),
  }
}

/** @param {string} folder */
async function copySqlite(folder) {
  const place = join('node_modules', 'better-sqlite3')
  const [ours, theirs] = [root, folder].map((base) => readJson(join(base, place, 'package.json')).version)
  if (ours === theirs) cpSync(join(root, place, 'build'), join(folder, place, 'build'), { recursive: true })
  else await npm(['rebuild', 'better-sqlite3'], folder)
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [more] of its environment
 * @param {string} [node] what it runs on, and builds for
 */
export async function npm(args, cwd, more = {}, node = process.execPath) {
  const path = process.env.npm_execpath
  if (path?.endsWith('.js')) await runCommand(node, [path, ...args], cwd, more)
  else await runCommand('npm', args, cwd, more)
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [more]
 */
export async function runCommand(file, args, cwd, more = {}) {
  // A test runner would leave its own settings, and a run script those of this project.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$)/.test(name)),
  )
  const shell = process.platform === 'win32' && file === 'npm'
  const child = spawn(file, args, { cwd, env: { ...env, ...more }, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  const [[status], ...said] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} failed in ${cwd}:\n${said.join('\n')}`)
}
