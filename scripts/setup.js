import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { installDependencies } from './install-dependencies.js'
import { showProgress } from './progress.js'
import { readOptions } from './read-options.js'
import { fail, root } from './run.js'
import { whyInstall } from './why-install.js'

const print = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`)

/** Installs the dependencies if they are missing or out of date. */
export async function setUp() {
  checkNode()
  const why = whyInstall(root)
  if (why === undefined) return

  print(`Installing dependencies, because ${why}.`)
  print('If no prebuilt SQLite fits, npm compiles it, which takes a minute or two.')
  const progress = showProgress(process.stderr, 'Contacting the registry')
  const { isInstalled, output, stoppedBy } = await installDependencies(progress.change)
  const seconds = progress.end()

  if (stoppedBy !== undefined) {
    print(
      'The installation was stopped. To continue, run the same command again: npm keeps what it downloaded.',
    )
    process.exit(128 + constants.signals[stoppedBy])
  }
  if (!isInstalled)
    fail(`${output}\nThe dependencies could not be installed. The output of npm above says why.`)
  const still = whyInstall(root)
  if (still !== undefined)
    fail(
      `${output}\nnpm reported success, but ${still}. If npm had to compile SQLite, it needs Python 3, make and a C++ compiler. To see why that failed, run \`npm rebuild better-sqlite3\`.`,
    )
  print(`Installed the dependencies in ${seconds} s.`)
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old. Install Node 20.19 or newer.`)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  readOptions({
    command: 'node scripts/setup.js',
    text: 'Installs the dependencies if they are missing or out of date. The other scripts do this too.',
    flags: {},
  })
  await setUp()
}
