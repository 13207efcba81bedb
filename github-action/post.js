import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { homeAt, readIfExists, readReady } from './home.js'
import { readSandbox } from './read-sandbox.js'
import { annotate, flags, input, messageOf, writeText } from './runner.js'
import { uploadArtifact } from './upload-artifact.js'

// Runs at the end of the job, even if it failed or was cancelled. It never changes the result of the job.

const EXPORTS = [
  { path: '/report', ending: 'html', type: 'text/html' },
  { path: '/export.har', ending: 'har', type: 'application/json' },
]

const STOP_MS = 10_000

const folder = process.env.STATE_folder
if (folder !== undefined) {
  const home = homeAt(folder)
  await attempt(`What the sandbox saw could not be saved (its log is ${home.log})`, () => save(home))
  await attempt('The sandbox could not be stopped', () => stop(home))
}

/** @param {import('./home.js').Home} home */
async function save(home) {
  const ready = readReady(home)
  if (ready === undefined) {
    console.log('The sandbox did not start, so there is nothing to save.')
    return
  }
  const adminToken = findAdminToken()
  writeText('GITHUB_STEP_SUMMARY', (await readSandbox(ready, '/summary', adminToken)).toString())
  if (input('job-status') === 'success') return

  // A second sandbox of the job has a number.
  const number = basename(home.folder).slice('paylink-sandbox'.length)
  for (const { path, ending, type } of EXPORTS) {
    const name = `${input('artifact')}${number}.${ending}`
    const file = join(home.folder, name)
    const content = await readSandbox(ready, path, adminToken)
    writeFileSync(file, content)
    await attempt(`${file} could not be uploaded as an artifact`, async () => {
      await uploadArtifact({ name, type, content })
      console.log(`Uploaded the artifact ${name}`)
    })
  }
}

/** The token of the flags, otherwise that of the environment. */
function findAdminToken() {
  const startFlags = flags()
  const at = startFlags.findLastIndex((flag) => /^--admin-token(=|$)/.test(flag))
  if (at === -1) return process.env.PAYLINK_ADMIN_TOKEN || undefined
  return startFlags[at] === '--admin-token'
    ? startFlags[at + 1]
    : startFlags[at]?.slice('--admin-token='.length)
}

/** @param {import('./home.js').Home} home */
async function stop(home) {
  const pid = Number(readIfExists(home.pid))
  if (pid === 0 || !signal(pid, 'SIGTERM')) return
  for (const deadline = Date.now() + STOP_MS; Date.now() < deadline; await pause(100)) {
    if (!signal(pid, 0)) return
  }
  signal(pid, 'SIGKILL')
}

/**
 * Returns whether the process exists.
 *
 * @param {number} pid
 * @param {NodeJS.Signals | 0} name
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/**
 * @param {string} failure
 * @param {() => Promise<void>} act
 */
async function attempt(failure, act) {
  try {
    await act()
  } catch (error) {
    annotate('warning', `${failure}: ${messageOf(error)}`)
  }
}
