import fc from 'fast-check'
import { toShellCommand } from './to-shell-command.js'
import { createDocumentChecker } from './document-checker.js'
import { judgeAnswer } from './judge-answer.js'
import { allRequests } from './requests.js'
import { send } from './send.js'
import { databaseProblems, startSandbox } from './start-sandbox.js'
import { createSuccessCounter } from './success-counter.js'
import { createFindings } from './findings.js'
import { startFuzzedSandbox } from './fuzzed-sandbox.js'
import { createConfiguredFailures } from './configured-failures.js'
import { fuzzWithoutToken } from './without-token.js'

const WORKERS = 16
/** Much longer than a request without a wait takes. A silent receiver takes ten seconds. */
const TIMEOUT_MS = 45_000
const MAX_SHRINK_TRIES = 150
const PROGRESS_EVERY_MS = 10_000
const RESET_EVERY = 2_000
const MAX_MB = 700
/** The number of additional requests without the admin token, as a fraction of all requests. */
const SHARE_WITHOUT_TOKEN = 0.1

/**
 * Sends a sandbox valid and invalid requests, and judges every answer.
 *
 * @param {{ requests: number, seed: number, folder: string, progress: (line: string) => void }} options
 */
export async function fuzz({ requests, seed, folder, progress }) {
  const findings = createFindings(progress)
  const sandbox = await startFuzzedSandbox(folder, findings, seed)
  const documents = await fetchDocuments(sandbox.url())
  const values = allRequests([documents.api.document, documents.control.document])
  const configuredFailures = createConfiguredFailures()
  const successes = createSuccessCounter(documents.api.document)
  const began = performance.now()
  let restarting = Promise.resolve()

  const perSecond = () => Math.round(sandbox.sent() / ((performance.now() - began) / 1000))
  const ticking = setInterval(
    () =>
      progress(
        `${sandbox.sent()} of ${requests}, ${perSecond()} a second, ${findings.count()} found, ${Math.round(sandbox.memory())} MB`,
      ),
    PROGRESS_EVERY_MS,
  )

  /**
   * Runs one after another what may change or restart the sandbox.
   *
   * @param {() => Promise<void>} work
   */
  const inTurn = (work) => (restarting = restarting.then(work))

  async function reset() {
    successes.recordReset()
    await sandbox.reset()
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
        sandbox.countRequest()
        await restarting
        const hadFaults = sandbox.hasFaults()
        sandbox.underway.add(request)
        configuredFailures.record(request)
        const answer = await send(sandbox.url(), request, TIMEOUT_MS)
        sandbox.noteFault(request, answer)
        successes.record(request, answer)
        const wrong = judgeAnswer(request, answer, documents, {
          hasFaults: hadFaults || sandbox.hasFaults(),
          configuredFailures,
        })
        await inTurn(sandbox.check)
        sandbox.underway.delete(request)
        if (sandbox.mustClearFaults()) await inTurn(sandbox.clearFaults)
        if (sandbox.sent() % RESET_EVERY === 0 || successes.needsReset()) await inTurn(reset)
        if (wrong === undefined) return
        first ||= wrong
        throw new Error(wrong)
      })
      const workerSeed = (seed + worker * 1_000_003 + round * 7_919) | 0
      const checked = await fc.check(property, { seed: workerSeed, numRuns: Math.max(1, left), verbose: 0 })
      if (!checked.failed) return
      const what = checked.errorInstance instanceof Error ? checked.errorInstance.message : first
      const [smallest] = checked.counterexample ?? []
      const command = smallest === undefined ? '' : toShellCommand(sandbox.url(), smallest)
      findings.add(
        what,
        `--seed ${seed}, worker ${worker}, number ${checked.numRuns} of round ${round} (path ${checked.counterexamplePath})`,
        command,
      )
    }
  }

  async function checkAtEnd() {
    await sandbox.check()
    await reset()
    const code = await sandbox.end()
    if (code !== 0)
      findings.add(
        `the sandbox exited with ${code} when it was stopped: ${sandbox.errors().join('\n')}`,
        'at the end',
      )
    for (const problem of databaseProblems(folder)) findings.add(`the database: ${problem}`, 'at the end')
    if (sandbox.maxMemory() > MAX_MB)
      findings.add(`the sandbox used ${Math.round(sandbox.maxMemory())} MB`, `more than ${MAX_MB}`)
    for (const what of successes.findings()) findings.add(what, `--seed ${seed}`)

    const few = Math.ceil(requests * SHARE_WITHOUT_TOKEN)
    const accepted = await fuzzWithoutToken({
      requests: few,
      seed,
      folder,
      document: documents.control.document,
    })
    if (accepted !== undefined) findings.add(accepted.what, accepted.where, accepted.command)

    // Checks that the requests did not damage the database: a new sandbox must be able to open it.
    await (await startSandbox(folder)).end()
  }

  try {
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => runWorker(worker)))
    await checkAtEnd()
  } catch (error) {
    // Reported as a finding, so that earlier findings are reported too.
    const why = error instanceof Error ? error.stack : error
    findings.add(`the run failed: ${why}`, `--seed ${seed}, after number ${sandbox.sent()}`)
    await sandbox.end()
  } finally {
    clearInterval(ticking)
  }
  return {
    sent: sandbox.sent(),
    perSecond: perSecond(),
    maxMemory: Math.round(sandbox.maxMemory()),
    operations: successes.operations,
    findings: findings.list(),
  }
}

/** @param {string} url */
async function fetchDocuments(url) {
  const get = async (/** @type {string} */ path) => (await fetch(url + path)).json()
  const api = createDocumentChecker(await get('/openapi.json'))
  const control = createDocumentChecker(await get('/_sandbox/openapi.json'))
  return { api, control }
}
