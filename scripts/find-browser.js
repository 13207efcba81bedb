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
 * The Chromium that the end-to-end tests drive: one that is there, else Playwright's, else Debian's.
 *
 * @returns {Promise<string>} its path
 */
export async function findOrFetchBrowser() {
  const found = findBrowser() ?? (await findPlaywrightBrowser())
  if (found !== undefined) return found

  process.stderr.write('No Chromium is installed. Fetching the one that Playwright brings.\n')
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js')
  run(process.execPath, [playwright, 'install', 'chromium'], { timeout: DOWNLOAD_TIMEOUT_MS })
  const fetched = await findPlaywrightBrowser()
  if (fetched !== undefined) return fetched

  if (process.platform === 'linux' && existsSync('/usr/bin/apt-get')) {
    process.stderr.write("That did not work. Installing Debian's.\n")
    installDebianBrowser()
  }
  return (
    findBrowser() ??
    fail(
      'The end-to-end tests need Chromium and none could be fetched. Install one, or name it in PAYLINK_TEST_BROWSER.',
    )
  )
}

/** @returns {string | undefined} */
function findBrowser() {
  const named = process.env.PAYLINK_TEST_BROWSER
  if (named !== undefined && named !== '') {
    return existsSync(named) ? named : fail(`PAYLINK_TEST_BROWSER names ${named}, and there is no such file.`)
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
 * Whether a browser can be started at all: one whose libraries are missing is as good as none.
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
