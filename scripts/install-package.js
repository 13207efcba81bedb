import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.js'

const NAME = 'paylink-sandbox'

/** What can be copied out of `fixtures/`. */
const PROJECTS = [
  'shop',
  'shops',
  ...readdirSync(join(root, 'fixtures', 'recipes')).map((name) => join('recipes', name)),
]

/**
 * Packs what is built, and installs it in a new folder with everything that the recipes and the shops need, which are
 * copied there: as one who installs the package and copies them has it.
 *
 * SQLite is taken over from this project, where it was compiled when that was set up, unless it `compiles`.
 *
 * @param {{ compiles?: boolean }} [options]
 * @returns {{ folder: string, remove: () => Promise<void> }}
 */
export function installPackage({ compiles = false } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'paylink-package-')))
  try {
    command(process.execPath, ['scripts/declarations.js'], root)
    npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(folder), null, 2))
    npm(['install', '--no-audit', '--no-fund', ...(compiles ? [] : ['--ignore-scripts'])], folder)
    if (!compiles) takeOverSqlite(folder)
    for (const project of PROJECTS)
      cpSync(join(root, 'fixtures', project), join(folder, project), { recursive: true })
    return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * What all of them need together, with the tarball in the place of the package.
 *
 * @param {string} folder
 */
function manifest(folder) {
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  const { typescript } = read(join(root, 'package.json')).devDependencies
  const manifests = PROJECTS.map((project) => join(root, 'fixtures', project, 'package.json'))
  const needed = manifests.filter(existsSync).map(read)
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
function takeOverSqlite(folder) {
  const place = join('node_modules', 'better-sqlite3')
  const [ours, theirs] = [root, folder].map((base) => read(join(base, place, 'package.json')).version)
  if (ours === theirs) cpSync(join(root, place, 'build'), join(folder, place, 'build'), { recursive: true })
  else npm(['rebuild', 'better-sqlite3'], folder)
}

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  const path = process.env.npm_execpath
  if (path?.endsWith('.js')) command(process.execPath, [path, ...args], cwd)
  else command('npm', args, cwd)
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function command(file, args, cwd) {
  // A test runner would leave its own settings, and a run script those of this project.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$)/.test(name)),
  )
  const shell = process.platform === 'win32' && file === 'npm'
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, env, shell, encoding: 'utf8' })
  if (status === 0) return
  const said = [error?.message, stdout, stderr].filter(Boolean).join('\n')
  throw new Error(`${file} ${args.join(' ')} failed in ${cwd}:\n${said}`)
}
