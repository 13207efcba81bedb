import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { npmCi } from './npm-ci.js'
import { showProgress } from './progress.js'
import { fail, root } from './run.js'
import { whyInstall } from './why-install.js'

const say = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`)

/** Installs the dependencies, unless they are installed. */
export async function setUp() {
  checkNode()
  const why = whyInstall(root)
  if (why === undefined) return

  say(`Installing dependencies, because ${why}.`)
  say('If no prebuilt SQLite fits, npm compiles it, which takes a minute or two.')
  const progress = showProgress(process.stderr, 'Asking the registry')
  const { isInstalled, output, stoppedBy } = await npmCi(progress.change)
  const seconds = progress.end()

  if (stoppedBy !== undefined) {
    say(
      'The installation was stopped. To continue, run the same command again: npm keeps what it downloaded.',
    )
    process.exit(128 + constants.signals[stoppedBy])
  }
  if (!isInstalled)
    fail(
      `${output}\nInstalling the dependencies failed, npm says why above. To compile SQLite, it needs Python 3, make and a C++ compiler.`,
    )
  const still = whyInstall(root)
  if (still !== undefined) fail(`${output}\nnpm ci succeeded, but ${still}.`)
  say(`Installed the dependencies in ${seconds} s.`)
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old. Install Node 20.19 or newer.`)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await setUp()
