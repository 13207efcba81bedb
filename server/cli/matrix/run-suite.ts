import { connectSandbox } from '../../client/connect-sandbox.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import type { Severity } from '../../domain/diagnostics/diagnostic.ts'
import type { RunReport } from '../../domain/events/run-report.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import type { RunningSandbox } from '../../runtime/sandbox.ts'
import { commandEnvironment } from '../app-environment.ts'
import type { CliIo } from '../io.ts'
import { createFindings, type RunFinding } from '../findings.ts'
import { openSandbox, waitBrieflyUntilSettled } from '../open-sandbox.ts'
import type { BehaviorOption } from './option.ts'
import { runCaptured, type CommandResult } from './run-captured.ts'

/** What all runs of the matrix have in common. */
export interface Suite {
  readonly command: readonly [string, ...string[]]
  readonly options: StartOptions
  readonly failOn: Severity | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** One run, with its own sandbox. */
export interface SuiteRun extends CommandResult {
  readonly passed: boolean
  readonly ms: number
  /** The limit from `--timeout`. */
  readonly timeoutMs: number
  /** The findings that `--fail-on` selects. */
  readonly findings: readonly RunFinding[]
  /** The behaviors at the beginning of the run. */
  readonly behaviors: Readonly<Record<BehaviorName, string>>
  readonly report: RunReport
}

export async function runSuite(
  suite: Suite,
  changed: readonly BehaviorOption[],
  io: CliIo,
): Promise<SuiteRun> {
  const { command, options, failOn, timeoutMs, signal } = suite
  const started = performance.now()
  const collected = createFindings()
  const behaviors = {
    ...options.behaviors,
    ...Object.fromEntries(changed.map(({ name, value }) => [name, value])),
  }
  const sandbox = await openSandbox({ ...options, behaviors }, io, collected.note)
  try {
    const inForce = await behaviorsOf(sandbox, options)
    const environment = await commandEnvironment(sandbox, await sandbox.accounts(), options, io)
    const captured = await runCaptured(command, environment, { timeoutMs, signal }, io)
    collected.commandEnded()
    const report = sandbox.runReport()
    if (failOn !== undefined) await waitBrieflyUntilSettled(sandbox)
    const findings = failOn === undefined ? [] : collected.atLeast(failOn)
    const passed = captured.code === 0 && !captured.timedOut && findings.length === 0
    const ms = performance.now() - started
    return { ...captured, passed, ms, timeoutMs, findings, behaviors: inForce, report }
  } finally {
    await sandbox.close()
  }
}

async function behaviorsOf(
  { url, certificate }: RunningSandbox,
  { adminToken }: StartOptions,
): Promise<SuiteRun['behaviors']> {
  await using handle = await connectSandbox(url, { adminToken, certificate: certificate?.cert })
  return (await handle.info()).behaviors
}

/** Whether a run depended on a behavior, which is the case if an operation called `ActiveBehaviors.dependOn` for it. */
export const dependsOn = ({ report }: SuiteRun, behavior: BehaviorName): boolean =>
  report.openPoints.some(({ name }) => name === behavior)

export const calledApi = ({ report }: SuiteRun): boolean => report.operations.some(({ count }) => count > 0)
