import { startSandbox } from './start-sandbox.js'
import { toShellCommand } from './to-shell-command.js'

const KEEP_FAULTS_FOR = 40

/**
 * The sandbox that is fuzzed. It is restarted if it exits.
 *
 * @param {string} folder
 * @param {ReturnType<typeof import('./findings.js').createFindings>} findings
 * @param {number} seed
 */
export async function startFuzzedSandbox(folder, findings, seed) {
  let sandbox = await startSandbox(folder)
  /** @type {Set<import('./http-request.js').Request>} */
  const underway = new Set()
  let sent = 0
  let maxMemory = 0
  let hasFaults = false
  /** @type {number | undefined} */
  let clearAt

  const commands = () =>
    [...underway].map((request) => toShellCommand(sandbox.url, request).slice(0, 1_000)).join('\n  ')
  const place = () => `--seed ${seed}, before number ${sent}`

  return {
    url: () => sandbox.url,
    sent: () => sent,
    memory: () => sandbox.memory(),
    maxMemory: () => maxMemory,
    hasFaults: () => hasFaults,
    mustClearFaults: () => clearAt !== undefined && sent >= clearAt,
    errors: () => sandbox.errors,
    end: () => sandbox.end(),
    countRequest() {
      sent += 1
    },
    /** Requests underway are shown if the process fails. */
    underway,
    /** Checks stderr, memory and exit of the process, and restarts it if it has exited. */
    async check() {
      const errors = sandbox.errors.splice(0)
      const around = `--seed ${seed}, around number ${sent}`
      if (errors.length > 0) findings.add(`stderr: ${errors.join('\n').slice(0, 2_000)}`, around, commands())
      maxMemory = Math.max(maxMemory, sandbox.memory())
      if (!sandbox.hasEnded()) return
      const code = await sandbox.end()
      findings.add(`the sandbox exited with ${code}`, around, commands())
      sandbox = await startSandbox(folder)
    },
    /**
     * API calls may fail from when a fault is added until it is removed. The faults are removed soon, because the answers
     * in between cannot be judged.
     *
     * @param {import('./http-request.js').Request} request
     * @param {import('./send.js').Answer} answer
     */
    noteFault({ method, target }, { status }) {
      if (method !== 'POST' || !target.startsWith('/_sandbox/v1/faults') || status !== 201) return
      hasFaults = true
      clearAt ??= sent + KEEP_FAULTS_FOR
    },
    async clearFaults() {
      clearAt = undefined
      const response = await fetch(`${sandbox.url}/_sandbox/v1/faults`, { method: 'DELETE' }).catch(
        () => null,
      )
      await response?.arrayBuffer()
      // Requests that were sent before still count as sent with faults.
      if (response?.status === 200) hasFaults = false
      else findings.add(`removing the faults answered ${response?.status}`, place())
    },
    /** Resets the sandbox, so that the links that requests name exist again. */
    async reset() {
      const response = await fetch(`${sandbox.url}/_sandbox/v1/reset`, { method: 'POST' }).catch(() => null)
      if (response?.status === 200) hasFaults = false
      else findings.add(`the reset answered ${response?.status}`, place())
      await response?.arrayBuffer()
    },
  }
}
