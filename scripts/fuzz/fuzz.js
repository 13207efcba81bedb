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
 * @property {string} command a shell command that sends the smallest failing request
 */

const WORKERS = 16
/** Much longer than a request without a wait takes. A silent receiver takes ten seconds. */
const TIMEOUT_MS = 45_000
const MAX_SHRINK_TRIES = 150
const PROGRESS_EVERY_MS = 10_000
const RESET_EVERY = 2_000
const KEEP_FAULTS_FOR = 40
const MAX_MB = 700
/** The number of additional requests without the admin token, as a fraction of all requests. */
const SHARE_WITHOUT_TOKEN = 0.1

/**
 * Sends a sandbox valid and invalid requests, and judges every answer.
 *
 * @param {{ requests: number, seed: number, folder: string, progress: (line: string) => void }} options
 */
export async function fuzz({ requests, seed, folder, progress }) {
  let sandbox = await startSandbox(folder)
  const documents = await fetchDocuments(sandbox.url)
  const values = allRequests([documents.api.document, documents.control.document])
  /** @type {Map<string, Finding>} */
  const findings = new Map()
  const state = { hasFaults: false }
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
    // One finding of each kind is enough. Findings of one kind differ in numbers and quoted texts.
    const kind = what.replaceAll(/\d+|"[^"]*"/g, '…').slice(0, 120)
    if (!findings.has(kind)) progress(`✕ ${what}\n  ${where}\n  ${command.slice(0, 2_000)}`)
    findings.set(kind, { what, where, command })
  }

  const commands = () =>
    [...underway].map((request) => toShellCommand(sandbox.url, request).slice(0, 1_000)).join('\n  ')

  /** Checks stderr, memory and exit of the process, and restarts it if it has exited. */
  async function checkProcess() {
    const errors = sandbox.errors.splice(0)
    const around = `--seed ${seed}, around number ${sent}`
    if (errors.length > 0) addFinding(`stderr: ${errors.join('\n').slice(0, 2_000)}`, around, commands())
    maxMemory = Math.max(maxMemory, sandbox.memory())
    if (!sandbox.hasEnded()) return
    const code = await sandbox.end()
    addFinding(`the sandbox exited with ${code}`, around, commands())
    sandbox = await startSandbox(folder)
  }

  /**
   * API calls may fail from when a fault is added until it is removed. The faults are removed soon, because the answers in
   * between cannot be judged.
   *
   * @param {import('./http-request.js').Request} request
   * @param {import('./send.js').Answer} answer
   */
  function noteFault({ method, target }, { status }) {
    if (method !== 'POST' || !target.startsWith('/_sandbox/v1/faults') || status !== 201) return
    state.hasFaults = true
    clearAt ??= sent + KEEP_FAULTS_FOR
  }

  async function clearFaults() {
    clearAt = undefined
    const response = await fetch(`${sandbox.url}/_sandbox/v1/faults`, { method: 'DELETE' }).catch(() => null)
    await response?.arrayBuffer()
    // Requests that were sent before still count as sent with faults.
    if (response?.status === 200) state.hasFaults = false
    else
      addFinding(
        `removing the faults answered ${response?.status}`,
        `--seed ${seed}, before number ${sent}`,
        '',
      )
  }

  /** Resets the sandbox, so that the links that requests name exist again. */
  async function reset() {
    successes.recordReset()
    const response = await fetch(`${sandbox.url}/_sandbox/v1/reset`, { method: 'POST' }).catch(() => null)
    if (response?.status === 200) state.hasFaults = false
    else addFinding(`the reset answered ${response?.status}`, `--seed ${seed}, before number ${sent}`, '')
    await response?.arrayBuffer()
  }

  /** @param {number} worker */
  async function runWorker(worker) {
    let left = Math.ceil((requests - worker) / WORKERS)
    for (let round = 0; left > 0; round += 1) {
      let tries = 0
      let first = ''
      const property = fc.asyncProperty(values, async (request) => {
        // After a finding, fast-check tries smaller requests. Their number is limited.
        if (first !== '' && (tries += 1) > MAX_SHRINK_TRIES) return
        if (first === '') left -= 1
        sent += 1
        await restarting
        const hadFaults = state.hasFaults
        underway.add(request)
        configuredFailures.record(request)
        const answer = await send(sandbox.url, request, TIMEOUT_MS)
        noteFault(request, answer)
        successes.record(request, answer)
        const wrong = judgeAnswer(request, answer, documents, {
          hasFaults: hadFaults || state.hasFaults,
          configuredFailures,
        })
        restarting = restarting.then(checkProcess)
        await restarting
        underway.delete(request)
        if (clearAt !== undefined && sent >= clearAt) await (restarting = restarting.then(clearFaults))
        if (sent % RESET_EVERY === 0 || successes.needsReset()) await (restarting = restarting.then(reset))
        if (wrong === undefined) return
        first ||= wrong
        throw new Error(wrong)
      })
      const workerSeed = (seed + worker * 1_000_003 + round * 7_919) | 0
      const checked = await fc.check(property, { seed: workerSeed, numRuns: Math.max(1, left), verbose: 0 })
      if (!checked.failed) return
      const what = checked.errorInstance instanceof Error ? checked.errorInstance.message : first
      const [smallest] = checked.counterexample ?? []
      const command = smallest === undefined ? '' : toShellCommand(sandbox.url, smallest)
      addFinding(
        what,
        `--seed ${seed}, worker ${worker}, number ${checked.numRuns} of round ${round} (path ${checked.counterexamplePath})`,
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
        `the sandbox exited with ${code} when it was stopped: ${sandbox.errors.join('\n')}`,
        'at the end',
        '',
      )
    for (const problem of databaseProblems(folder)) addFinding(`the database: ${problem}`, 'at the end', '')
    if (maxMemory > MAX_MB)
      addFinding(`the sandbox used ${Math.round(maxMemory)} MB`, `more than ${MAX_MB}`, '')
    for (const what of successes.findings()) addFinding(what, `--seed ${seed}`, '')

    const few = Math.ceil(requests * SHARE_WITHOUT_TOKEN)
    const accepted = await fuzzWithoutToken({
      requests: few,
      seed,
      folder,
      document: documents.control.document,
    })
    if (accepted !== undefined) addFinding(accepted.what, accepted.where, accepted.command)

    // Checks that the requests did not damage the database: a new sandbox must be able to open it.
    sandbox = await startSandbox(folder)
    await sandbox.end()
  }

  try {
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => runWorker(worker)))
    await checkAtEnd()
  } catch (error) {
    // Reported as a finding, so that earlier findings are reported too.
    const why = error instanceof Error ? error.stack : error
    addFinding(`the run failed: ${why}`, `--seed ${seed}, after number ${sent}`, '')
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
