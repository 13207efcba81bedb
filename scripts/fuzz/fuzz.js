import fc from 'fast-check'
import { toShellCommand } from './to-shell-command.js'
import { createDocumentChecker } from './document-checker.js'
import { judgeAnswer } from './judge-answer.js'
import { allRequests } from './requests.js'
import { send } from './send.js'
import { databaseProblems, startSandbox } from './start-sandbox.js'
import { createSuccessCounter } from './success-counter.js'
import { createConfiguredFailures } from './configured-failures.js'
import { fuzzWithoutToken } from './without-token.js'

/**
 * @typedef {object} Finding
 * @property {string} what
 * @property {string} where seed and number of the request
 * @property {string} command the smallest request that shows it, for a shell
 */

const WORKERS = 16
/** Far more than anything takes that was not asked to wait: a receiver that is silent costs ten seconds. */
const TIMEOUT_MS = 45_000
const MAX_SHRINK_TRIES = 150
const PROGRESS_EVERY_MS = 10_000
const RESET_EVERY = 2_000
const KEEP_FAULTS_FOR = 40
const MAX_MB = 700
/** As many more, for their number, call without the admin token. */
const SHARE_WITHOUT_TOKEN = 0.1

/**
 * Sends a sandbox whatever its documents allow and whatever they do not, and looks at every answer.
 *
 * @param {{ requests: number, seed: number, folder: string, progress: (line: string) => void }} options
 */
export async function fuzz({ requests, seed, folder, progress }) {
  let sandbox = await startSandbox(folder)
  const documents = await fetchDocuments(sandbox.url)
  const values = allRequests([documents.api.document, documents.control.document])
  /** @type {Map<string, Finding>} */
  const findings = new Map()
  const state = { faulty: false }
  const configuredFailures = createConfiguredFailures()
  const successes = createSuccessCounter(documents.api.document)
  /** @type {Set<import('./http-request.js').Request>} */
  const underway = new Set()
  const began = performance.now()
  let sent = 0
  let maxMemory = 0
  /** @type {number | undefined} */
  let clearAt
  let restarting = Promise.resolve()

  const perSecond = () => Math.round(sent / ((performance.now() - began) / 1000))
  const ticking = setInterval(
    () =>
      progress(
        `${sent} of ${requests}, ${perSecond()} a second, ${findings.size} found, ${Math.round(sandbox.memory())} MB`,
      ),
    PROGRESS_EVERY_MS,
  )

  /**
   * @param {string} what
   * @param {string} where
   * @param {string} command
   */
  function addFinding(what, where, command) {
    // One of a kind is enough, however many texts it comes with.
    const kind = what.replaceAll(/\d+|"[^"]*"/g, '…').slice(0, 120)
    if (!findings.has(kind)) progress(`✕ ${what}\n  ${where}\n  ${command.slice(0, 2_000)}`)
    findings.set(kind, { what, where, command })
  }

  const commands = () =>
    [...underway].map((request) => toShellCommand(sandbox.url, request).slice(0, 1_000)).join('\n  ')

  /** Looks whether the process is as it should be, and puts another in its place where it is not. */
  async function checkProcess() {
    const said = sandbox.said.splice(0)
    const around = `--seed ${seed}, around number ${sent}`
    if (said.length > 0)
      addFinding(`the sandbox said: ${said.join('\n').slice(0, 2_000)}`, around, commands())
    maxMemory = Math.max(maxMemory, sandbox.memory())
    if (!sandbox.hasEnded()) return
    const code = await sandbox.end()
    addFinding(`the sandbox ended with ${code}`, around, commands())
    sandbox = await startSandbox(folder)
  }

  /**
   * Calls may go wrong from when a fault was asked for until it is taken away again. Soon, as nothing is known of what
   * they answer meanwhile.
   *
   * @param {import('./http-request.js').Request} request
   * @param {import('./send.js').Answer} answer
   */
  function noteFault({ method, target }, { status }) {
    if (method !== 'POST' || !target.startsWith('/_sandbox/v1/faults') || status !== 201) return
    state.faulty = true
    clearAt ??= sent + KEEP_FAULTS_FOR
  }

  async function clearFaults() {
    clearAt = undefined
    const response = await fetch(`${sandbox.url}/_sandbox/v1/faults`, { method: 'DELETE' }).catch(() => null)
    await response?.arrayBuffer()
    // What was asked before is judged as it was asked.
    if (response?.status === 200) state.faulty = false
    else
      addFinding(
        `taking faults away answered ${response?.status}`,
        `--seed ${seed}, before number ${sent}`,
        '',
      )
  }

  /** As at first, so that what requests name is there. */
  async function reset() {
    successes.refreshed()
    const response = await fetch(`${sandbox.url}/_sandbox/v1/reset`, { method: 'POST' }).catch(() => null)
    if (response?.status === 200) state.faulty = false
    else addFinding(`the reset answered ${response?.status}`, `--seed ${seed}, before number ${sent}`, '')
    await response?.arrayBuffer()
  }

  /** @param {number} lane */
  async function runWorker(lane) {
    let left = Math.ceil((requests - lane) / WORKERS)
    for (let round = 0; left > 0; round += 1) {
      let tries = 0
      let first = ''
      const property = fc.asyncProperty(values, async (request) => {
        // Once something is found, smaller requests are tried for a while.
        if (first !== '' && (tries += 1) > MAX_SHRINK_TRIES) return
        if (first === '') left -= 1
        sent += 1
        await restarting
        const wasFaulty = state.faulty
        underway.add(request)
        configuredFailures.note(request)
        const answer = await send(sandbox.url, request, TIMEOUT_MS)
        noteFault(request, answer)
        successes.note(request, answer)
        const wrong = judgeAnswer(request, answer, documents, {
          faulty: wasFaulty || state.faulty,
          told: configuredFailures,
        })
        restarting = restarting.then(checkProcess)
        await restarting
        underway.delete(request)
        if (clearAt !== undefined && sent >= clearAt) await (restarting = restarting.then(clearFaults))
        if (sent % RESET_EVERY === 0 || successes.isDry()) await (restarting = restarting.then(reset))
        if (wrong === undefined) return
        first ||= wrong
        throw new Error(wrong)
      })
      const laneSeed = (seed + lane * 1_000_003 + round * 7_919) | 0
      const checked = await fc.check(property, { seed: laneSeed, numRuns: Math.max(1, left), verbose: 0 })
      if (!checked.failed) return
      const what = checked.errorInstance instanceof Error ? checked.errorInstance.message : first
      const [smallest] = checked.counterexample ?? []
      const command = smallest === undefined ? '' : toShellCommand(sandbox.url, smallest)
      addFinding(
        what,
        `--seed ${seed}, lane ${lane}, number ${checked.numRuns} of round ${round} (path ${checked.counterexamplePath})`,
        command,
      )
    }
  }

  async function checkAtEnd() {
    await checkProcess()
    await reset()
    const code = await sandbox.end()
    if (code !== 0)
      addFinding(
        `the sandbox ended with ${code} when it was told to stop: ${sandbox.said.join('\n')}`,
        'at the end',
        '',
      )
    for (const problem of databaseProblems(folder)) addFinding(`the database: ${problem}`, 'at the end', '')
    if (maxMemory > MAX_MB)
      addFinding(`the sandbox held ${Math.round(maxMemory)} MB`, `more than ${MAX_MB}`, '')
    for (const what of successes.never()) addFinding(what, `--seed ${seed}`, '')

    const few = Math.ceil(requests * SHARE_WITHOUT_TOKEN)
    const letIn = await fuzzWithoutToken({
      requests: few,
      seed,
      folder,
      document: documents.control.document,
    })
    if (letIn !== undefined) addFinding(letIn.what, letIn.where, letIn.command)

    // What it has left behind is to be of use.
    sandbox = await startSandbox(folder)
    await sandbox.end()
  }

  try {
    await Promise.all(Array.from({ length: WORKERS }, (_, lane) => runWorker(lane)))
    await checkAtEnd()
  } catch (error) {
    // What was found before is told as well.
    const why = error instanceof Error ? error.stack : error
    addFinding(`the run broke off: ${why}`, `--seed ${seed}, after number ${sent}`, '')
    await sandbox.end()
  } finally {
    clearInterval(ticking)
  }
  return {
    sent,
    perSecond: perSecond(),
    maxMemory: Math.round(maxMemory),
    operations: successes.operations,
    findings: [...findings.values()],
  }
}

/** @param {string} url */
async function fetchDocuments(url) {
  const get = async (/** @type {string} */ path) => (await fetch(url + path)).json()
  const api = createDocumentChecker(await get('/openapi.json'))
  const control = createDocumentChecker(await get('/_sandbox/openapi.json'))
  return { api, control }
}
