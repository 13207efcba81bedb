import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { npm, runCommand } from '../install-package.js'

/**
 * How each package manager adds a package to a project, and starts a program of it.
 *
 * @type {Readonly<Record<string, { readonly add: readonly string[], readonly exec: readonly string[] }>>}
 */
const COMMANDS = {
  npm: { add: ['install', '--no-audit', '--no-fund', '--save-dev'], exec: ['exec', '--no', '--'] },
  pnpm: { add: ['add', '--save-dev'], exec: ['exec'] },
  yarn: { add: ['add', '--dev'], exec: ['run', '--silent'] },
  bun: { add: ['add', '--dev'], exec: ['run', '--silent'] },
}

export const MANAGER_NAMES = Object.keys(COMMANDS)

/**
 * Returns a package manager. All but npm are installed in `folder`.
 *
 * @param {string} name
 * @param {string} folder
 * @param {import('./fetch-node.js').Node} node the Node that runs it, and that SQLite is compiled for
 */
export async function fetchPackageManager(name, folder, node) {
  const commands = COMMANDS[name]
  if (commands === undefined) throw new Error(`There is no ${name}.`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  if (name !== 'npm') await npm(['install', '--no-audit', '--no-fund', name], folder)
  const programs = join(folder, 'node_modules', '.bin')
  const env = {
    PATH: [dirname(node.program), programs, process.env.PATH].join(delimiter),
    ...(node.headers && { npm_config_nodedir: node.headers }),
    // Yarn 1 installs node-gyp here for packages that it compiles.
    YARN_GLOBAL_FOLDER: join(folder, 'global'),
    YARN_PREFIX: join(folder, 'global'),
    // Otherwise, both would use a package of the same name and version from an earlier run.
    YARN_CACHE_FOLDER: join(folder, 'cache'),
    BUN_INSTALL_CACHE_DIR: join(folder, 'cache'),
  }
  const run = (/** @type {readonly string[]} */ args, /** @type {string} */ project) =>
    name === 'npm'
      ? npm(args, project, env, node.program)
      : runCommand(join(programs, name), args, project, env)
  return {
    run,
    add: (/** @type {string} */ address, /** @type {string} */ project) =>
      run([...commands.add, address], project),
    exec: (/** @type {readonly string[]} */ command, /** @type {string} */ project) =>
      run([...commands.exec, ...command], project),
  }
}
