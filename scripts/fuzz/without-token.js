import fc from 'fast-check'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { toShellCommand } from './to-shell-command.js'
import { KEY } from './http-request.js'
import { operationRequests } from './requests.js'
import { send } from './send.js'
import { webSocketRequests } from './web-socket-requests.js'
import { startSandbox } from './start-sandbox.js'

const TOKEN = 'nobody-sends-this'
const TIMEOUT_MS = 45_000

/** These require no token. */
const OPEN_PATHS = ['/_sandbox/health', '/_sandbox/ready']
/** The only keys that a rejection may contain. */
const PROBLEM_KEYS = ['detail', 'status', 'title', 'type']

/**
 * Sends requests without a token to the control API and the stream of a sandbox that requires an admin token. Returns a
 * request that was accepted, or whose rejection reveals something.
 *
 * @param {{ requests: number, seed: number, folder: string, document: import('../../server/platform/openapi/document.ts').Document }} options
 * @returns {Promise<import('./findings.js').Finding | undefined>}
 */
export async function fuzzWithoutToken({ requests, seed, folder, document }) {
  const ownFolder = join(folder, 'with-token')
  mkdirSync(ownFolder)
  const sandbox = await startSandbox(ownFolder, ['--admin-token', TOKEN])
  try {
    const values = fc.oneof(
      { weight: 4, arbitrary: operationRequests([document]) },
      { weight: 1, arbitrary: webSocketRequests },
    )
    const property = fc.asyncProperty(values, async (request) => {
      const wrong = judgeRefusal(request, await send(sandbox.url, request, TIMEOUT_MS))
      if (wrong !== undefined) throw new Error(wrong)
    })
    const checked = await fc.check(property, { seed, numRuns: requests, verbose: 0 })
    if (!checked.failed) return undefined
    const [smallest] = checked.counterexample ?? []
    return {
      what: `without the admin token: ${checked.errorInstance instanceof Error ? checked.errorInstance.message : ''}`,
      where: `--seed ${seed}, number ${checked.numRuns} without the token`,
      command: smallest === undefined ? '' : toShellCommand(sandbox.url, smallest),
    }
  } finally {
    await sandbox.end()
  }
}

/**
 * @param {import('./http-request.js').Request} request
 * @param {import('./send.js').Answer} answer
 */
function judgeRefusal(
  { method, target, isWellFormed, entryPoint },
  { status, headers, body, raw, hasTimedOut },
) {
  if (hasTimedOut) return 'no answer'
  if (raw.includes(KEY) || raw.includes(TOKEN)) return 'the answer contains a key'
  const path = target.split('?', 1)[0] ?? ''
  if (!path.startsWith('/_sandbox/')) return undefined
  if (OPEN_PATHS.includes(path) && ['GET', 'HEAD'].includes(method)) return undefined
  if (status !== null && status < 400) return `${method} ${path} answered ${status}`
  // Node rejects malformed requests before the sandbox checks the token.
  if (status === null || !isWellFormed || entryPoint === 'socket' || headers['content-type'] === undefined)
    return undefined
  if (/%|\.\./.test(path)) return undefined
  // 403: the host or origin is not the sandbox's, so a token would not help.
  if (![401, 403].includes(status)) return `${method} ${path} answered ${status} instead of 401`
  if (method === 'HEAD' || !headers['content-type'].includes('json')) return undefined
  const extra = Object.keys(JSON.parse(body.toString())).filter((key) => !PROBLEM_KEYS.includes(key))
  return extra.length === 0 ? undefined : `the rejection also contains ${extra.join(', ')}`
}
