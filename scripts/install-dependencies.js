import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from './run.js'
import { LOCKED_SQLITE, sqliteMajorFor } from './sqlite-version.js'

/** At this log level npm prints its downloads and install scripts. */
const ARGUMENTS = ['--no-audit', '--no-fund', '--loglevel=info', '--color=false', '--include=dev']

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

const isWindows = process.platform === 'win32'

/**
 * Installs the dependencies of the lock file, with the SQLite that fits this Node. Ctrl-C ends npm and every process that it started.
 *
 * @param {(doing: string) => void} onStep
 * @returns {ReturnType<typeof npm>}
 */
export async function installDependencies(onStep) {
  const major = sqliteMajorFor(process.versions)
  if (major === LOCKED_SQLITE) return npm(['ci'], onStep)
  const installed = await npm(['ci', '--ignore-scripts'], onStep)
  if (!installed.isInstalled) return installed
  return npm(['install', '--no-save', '--ignore-scripts', `better-sqlite3@${major}`], onStep)
}

/**
 * @param {string[]} words
 * @param {(doing: string) => void} onStep
 * @returns {Promise<{ isInstalled: boolean, output: string, stoppedBy: NodeJS.Signals | undefined }>} `output` is what npm
 *   printed, without its steps
 */
async function npm(words, onStep) {
  const path = process.env.npm_execpath
  const [program, ...before] = path?.endsWith('npm-cli.js') ? [process.execPath, path] : ['npm']
  const child = spawn(program, [...before, ...words, ...ARGUMENTS], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows && program === 'npm',
    // A separate process group: compilers end with it, and Ctrl-C in a terminal reaches it only through this process.
    detached: !isWindows,
  })
  /** @type {NodeJS.Signals | undefined} */
  let stoppedBy
  /** @type {NodeJS.Timeout | undefined} */
  let killTimer
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stoppedBy = signal
    onStep('Stopping npm')
    killProcessGroup(child, signal)
    killTimer ??= setTimeout(() => killProcessGroup(child, 'SIGKILL'), 5000)
  }
  for (const signal of SIGNALS) process.on(signal, stop)

  const stepOf = createStepReader()
  /** @type {string[]} */
  const output = []
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      const step = stepOf(line)
      if (step !== undefined && stoppedBy === undefined) onStep(step)
      if (!/^npm (http|info) /.test(line)) output.push(line)
    })
  child.once('error', ({ message }) => output.push(message))
  const code = await new Promise((resolve) => child.once('close', resolve))

  clearTimeout(killTimer)
  for (const signal of SIGNALS) process.off(signal, stop)
  return { isInstalled: code === 0, output: output.join('\n'), stoppedBy }
}

/** Returns a function that turns a line of npm's log into the current step, or `undefined`. */
export function createStepReader() {
  let packages = 0
  return (/** @type {string} */ line) => {
    if (/^npm http fetch GET 200 \S+\.tgz /.test(line)) return `Downloading packages, ${++packages} so far`
    const script = /^npm info run (\S+)@\S+ \w*install /.exec(line)?.[1]
    if (script === 'better-sqlite3') return 'Setting up SQLite: downloading it, or compiling it'
    return script && `Setting up ${script}`
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killProcessGroup(child, signal) {
  const pid = Number(child.pid)
  if (isWindows) spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
  else
    try {
      process.kill(-pid, signal)
    } catch {
      // It has already ended.
    }
}
