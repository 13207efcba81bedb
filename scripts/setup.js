import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, root, run } from './run.js'

const STAMP = join(root, 'node_modules', '.paylink-setup')

/** Installs the dependencies, unless the very same ones are there already for this Node. */
export function setUp() {
  checkNode()
  const wanted = stamp()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return

  process.stderr.write(
    'Installing dependencies. Where no prebuilt SQLite fits, it is compiled, which takes a minute or two.\n',
  )
  if (!npm('ci', '--no-audit', '--no-fund')) {
    fail(
      'Installing the dependencies failed, npm says why above. Compiling SQLite takes Python 3, make and a C++ compiler.',
    )
  }
  writeFileSync(STAMP, wanted)
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old. Install Node 20.19 or newer.`)
  }
}

/** What the installed dependencies depend on: the lock file, and the Node that native code is compiled for. */
function stamp() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const { modules } = process.versions
  return `${createHash('sha256').update(lock).digest('hex')} ${modules} ${process.platform} ${process.arch}\n`
}

/**
 * @param {readonly string[]} args
 * @returns {boolean}
 */
function npm(...args) {
  const path = process.env.npm_execpath
  if (path?.endsWith('.js')) return run(process.execPath, [path, ...args])
  return run('npm', args, { shell: process.platform === 'win32' })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) setUp()
