import { spawn } from 'node:child_process'
import { openSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createHome, readIfExists, readReady } from './home.js'
import { install } from './install.js'
import { annotate, flags, input, messageOf, writeValues } from './runner.js'

// Starts a sandbox that runs until the end of the job. `post.js` stops it.

const home = createHome()
writeValues('GITHUB_STATE', { folder: home.folder })
try {
  const { url, accounts } = await start(install(home.folder, input('version')))
  const [owner, recipient] = accounts
  const key = owner?.apiKey ?? ''
  const token = recipient?.recipientToken ?? ''
  writeValues('GITHUB_OUTPUT', { url, key, token })
  const user = owner?.id ?? ''
  writeValues('GITHUB_ENV', {
    PAYLINK_URL: url,
    PAYLINK_API_KEY: key,
    PAYLINK_USER_ID: user,
    PAYLINK_RECIPIENT_TOKEN: token,
  })
  console.log(`The sandbox listens on ${url}`)
} catch (error) {
  annotate('error', messageOf(error))
  process.exitCode = 1
}

/**
 * Starts the sandbox as a process that outlives this one, and waits until it is ready.
 *
 * @param {string} cli
 */
async function start(cli) {
  const args = [cli, 'start', '--port', input('port'), '--db', ':memory:', '--json', '--quiet', ...flags()]
  const child = spawn('node', args, {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', openSync(home.ready, 'w'), openSync(home.log, 'w')],
  })
  /** @type {string | undefined} */
  let failure
  child.once('error', ({ message }) => (failure = message))
  child.once('exit', (code, signal) => (failure = `It ended with ${code ?? signal}.`))
  // The job can be cancelled while this step waits, so the process must be known before it is ready.
  writeFileSync(home.pid, String(child.pid ?? ''))

  for (;;) {
    const ready = readReady(home)
    if (ready !== undefined) {
      child.unref()
      return ready
    }
    if (failure !== undefined) {
      throw new Error(`The sandbox did not start. ${readIfExists(home.log).trim() || failure}`)
    }
    await pause(100)
  }
}
