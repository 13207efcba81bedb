import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fail, root, run } from './run.js'

/** The first program has no user interface, and needs less processor time. */
const PROGRAMS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

const KNOWN_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

const DOWNLOAD_TIMEOUT_MS = 5 * 60_000

/**
 * Finds the Chromium for the end-to-end tests. Installs Playwright's, or else Debian's, if there is none.
 *
 * @returns {string} its path
 */
export function findOrFetchBrowser() {
  const browserPath = findBrowser() ?? findPlaywrightBrowser()
  if (browserPath !== undefined) return browserPath

  process.stderr.write('No Chromium is installed. Downloading the build that Playwright uses.\n')
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js')
  run(process.execPath, [playwright, 'install', '--only-shell', 'chromium'], { timeout: DOWNLOAD_TIMEOUT_MS })
  const fetched = findPlaywrightBrowser()
  if (fetched !== undefined) return fetched

  if (process.platform === 'linux' && existsSync('/usr/bin/apt-get')) {
    process.stderr.write('The download failed. Installing the Debian package instead.\n')
    installDebianBrowser()
  }
  return (
    findBrowser() ??
    fail(
      'The end-to-end tests need Chromium, and it could not be downloaded. Install it, or set PAYLINK_TEST_BROWSER to its path.',
    )
  )
}

/** @returns {string | undefined} */
function findBrowser() {
  const named = process.env.PAYLINK_TEST_BROWSER
  if (named !== undefined && named !== '') {
    return existsSync(named) ? named : fail(`PAYLINK_TEST_BROWSER is ${named}, and there is no such file.`)
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, ...KNOWN_PATHS].find((path) => existsSync(path) && canStart(path))
}

/** @returns {string | undefined} */
function findPlaywrightBrowser() {
  // This file is the only one in the package that knows the path of the Chromium without a user interface.
  const { registry } = createRequire(import.meta.url)('playwright-core/lib/coreBundle').registry
  return ['chromium-headless-shell', 'chromium']
    .map((name) => registry.findExecutable(name).executablePath())
    .find((path) => path !== undefined && existsSync(path) && canStart(path))
}

/**
 * Returns whether a browser starts. One whose libraries are missing does not.
 *
 * @param {string} path
 * @returns {boolean}
 */
function canStart(path) {
  if (process.platform === 'win32') return true
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0
}

function installDebianBrowser() {
  const isRoot = process.getuid?.() === 0
  const [command, ...before] = isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  run(command, [...before, 'update', '-qq'], { env })
  // Older releases of Debian have no chromium-headless-shell.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (run(command, [...before, 'install', '-y', '-qq', '--no-install-recommends', name], { env })) return
  }
}
