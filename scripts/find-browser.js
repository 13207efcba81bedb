import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, root, run } from './run.js'

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

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
 * @returns {Promise<string>} its path
 */
export async function findOrFetchBrowser() {
  const found = findBrowser() ?? (await findPlaywrightBrowser())
  if (found !== undefined) return found

  process.stderr.write('No Chromium is installed. Downloading the one of Playwright.\n')
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js')
  run(process.execPath, [playwright, 'install', 'chromium'], { timeout: DOWNLOAD_TIMEOUT_MS })
  const fetched = await findPlaywrightBrowser()
  if (fetched !== undefined) return fetched

  if (process.platform === 'linux' && existsSync('/usr/bin/apt-get')) {
    process.stderr.write('The download failed. Installing the one of Debian.\n')
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
  const candidates = folders.flatMap((folder) => PROGRAMS.map((name) => join(folder, name)))
  return [...candidates, ...KNOWN_PATHS].find((path) => existsSync(path) && canStart(path))
}

/** @returns {Promise<string | undefined>} */
async function findPlaywrightBrowser() {
  const { chromium } = await import('playwright-core')
  const path = chromium.executablePath()
  return path !== '' && existsSync(path) && canStart(path) ? path : undefined
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
  run(command, [...before, 'install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env })
}
